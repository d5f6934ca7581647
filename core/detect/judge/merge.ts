import type { Match } from '../find/match.ts';

/** Orders by offset, then by code, so that the order does not depend on which code was found first. */
const isBefore = (a: Match, b: Match): boolean => {
  if (a.start !== b.start) return a.start < b.start;
  return a.end < b.end || (a.end === b.end && a.code < b.code);
};

/** Appends the matches of several lists to `merged`, ordered by offset. Each list must already be ordered. */
export function merge(lists: readonly (readonly Match[])[], merged: Match[]): void {
  const filled = lists.filter((list) => list.length > 0);
  const next = filled.map(() => 0);
  const total = filled.reduce((sum, list) => sum + list.length, 0);
  for (let index = 0; index < total; index++) {
    let first = -1;
    let best: Match | undefined;
    for (let list = 0; list < filled.length; list++) {
      const match = filled[list]![next[list]!];
      if (match === undefined || (best !== undefined && !isBefore(match, best))) continue;
      first = list;
      best = match;
    }
    next[first]!++;
    merged.push(best!);
  }
}
