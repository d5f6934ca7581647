/** Lists of rules, or settings, that are kept: as many as compiled forms are. */
const KEPT_LISTS = 200;

/**
 * Returns the same object for equal lists or settings: a thread receives a fresh copy each time, and compiled forms are
 * cached by reference.
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
