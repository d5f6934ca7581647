/** Lists of rules, or settings, kept: as many as their compiled forms. */
const KEPT_LISTS = 200;

/**
 * The same list, or settings, for equal ones: what was sent to a thread arrives as a copy each time, and its compiled form
 * is remembered by reference.
 */
export function sameLists<List extends object = readonly string[]>(size = KEPT_LISTS): (list: List) => List {
  const kept = new Map<string, List>();
  return (list) => {
    const name = JSON.stringify(list);
    const same = kept.get(name) ?? list;
    kept.delete(name);
    kept.set(name, same);
    if (kept.size > size) kept.delete(kept.keys().next().value as string);
    return same;
  };
}
