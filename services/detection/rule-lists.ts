/** Lists of rules kept, as many as their compiled forms. */
const KEPT_LISTS = 200;

/**
 * The same list for equal lists: rules that were sent to a thread arrive as a copy each time, and compiled ones are
 * remembered by reference.
 */
export function sameLists(size = KEPT_LISTS): (list: readonly string[]) => readonly string[] {
  const kept = new Map<string, readonly string[]>();
  return (list) => {
    const name = JSON.stringify(list);
    const same = kept.get(name) ?? list;
    kept.delete(name);
    kept.set(name, same);
    if (kept.size > size) kept.delete(kept.keys().next().value as string);
    return same;
  };
}
