/** Entries that are sorted, or merged, between two yields. */
const STRETCH = 1_024;

/**
 * The entries in order; a stable sort. Short runs are sorted by the engine and then merged, two at a time, unless they
 * are in order already; yields in between.
 */
export function* sortInSteps<Entry>(
  list: Entry[],
  compare: (a: Entry, b: Entry) => number,
): Generator<void, Entry[]> {
  if (list.length <= STRETCH) return list.sort(compare);
  let sorted: Entry[] = [];
  /** Where the runs of ordered entries begin, and the end of the last one. */
  let bounds = [0];
  for (let at = 0; at < list.length; at += STRETCH) {
    const part = list.slice(at, at + STRETCH).sort(compare);
    if (at > 0 && compare(sorted[at - 1]!, part[0]!) > 0) bounds.push(at);
    for (const entry of part) sorted.push(entry);
    yield;
  }
  bounds.push(list.length);
  while (bounds.length > 2) {
    const merged: Entry[] = [];
    const ends = [0];
    for (let run = 0; run + 1 < bounds.length; run += 2) {
      yield* mergeRuns(sorted, bounds.slice(run, run + 3), compare, merged);
      ends.push(merged.length);
    }
    [sorted, bounds] = [merged, ends];
  }
  return sorted;
}

/** Appends two consecutive runs of `list` to `merged`, in order; the second may be missing. */
function* mergeRuns<Entry>(
  list: readonly Entry[],
  [begin, middle, end = middle]: readonly number[],
  compare: (a: Entry, b: Entry) => number,
  merged: Entry[],
): Generator<void, void> {
  let [first, second] = [begin!, middle!];
  while (first < middle! || second < end!) {
    const takesFirst = second === end || (first < middle! && compare(list[first]!, list[second]!) <= 0);
    merged.push(list[takesFirst ? first++ : second++]!);
    if (merged.length % STRETCH === 0) yield;
  }
}
