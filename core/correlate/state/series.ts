/** Counts of one key by hour, hours without any left out. Both lists have one length; hours ascend. */
export interface Series {
  /** Hours since the epoch. */
  readonly hours: number[];
  readonly counts: number[];
}

export const emptySeries = (): Series => ({ hours: [], counts: [] });

export function addTo(series: Series, hour: number, count: number): void {
  const { hours, counts } = series;
  const last = hours.length - 1;
  if (last >= 0 && hours[last] === hour) {
    counts[last] = counts[last]! + count;
  } else if (last < 0 || hours[last]! < hour) {
    hours.push(hour);
    counts.push(count);
  } else {
    const at = placeOf(hours, hour);
    if (hours[at] === hour) counts[at] = counts[at]! + count;
    else {
      hours.splice(at, 0, hour);
      counts.splice(at, 0, count);
    }
  }
}

/** The first place whose hour is not below `hour`. */
export function placeOf(hours: readonly number[], hour: number): number {
  let low = 0;
  let high = hours.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hours[middle]! < hour) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Signals in the hours from `from` up to, and without, `end`. */
export function sumOf({ hours, counts }: Series, from: number, end: number): number {
  let sum = 0;
  for (let at = placeOf(hours, from); at < hours.length && hours[at]! < end; at += 1) sum += counts[at]!;
  return sum;
}

/** Forgets the hours below `hour`. */
export function prune({ hours, counts }: Series, hour: number): void {
  const kept = placeOf(hours, hour);
  if (kept === 0) return;
  hours.splice(0, kept);
  counts.splice(0, kept);
}
