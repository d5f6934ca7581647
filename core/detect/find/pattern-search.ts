import type { Candidate } from '../detector.ts';

/** How far the detectors' patterns look behind a match. */
const LOOK_BEHIND = 8;

/**
 * A walk from match to match of a global pattern, in pieces. `reach`: the maximum length of a match together with what
 * the pattern looks ahead at. `findAt` receives each match with its place in the text (which is not the match's index)
 * and returns what is found there; the walk continues after that, or else after the match.
 */
export function patternWalk(
  pattern: RegExp,
  reach: number,
  text: string,
  findAt: (match: RegExpExecArray, start: number) => Candidate | null,
  push: (find: Candidate) => void,
): (until: number) => void {
  let from = 0;
  return (until) => {
    if (from >= until) return;
    const base = Math.max(0, from - LOOK_BEHIND);
    // The pattern gets only this part: otherwise it would search for the next match to the end of the text.
    const part = text.slice(base, until + reach);
    pattern.lastIndex = from - base;
    for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
      const start = base + match.index;
      if (start >= until) break;
      const find = findAt(match, start);
      if (find !== null) push(find);
      from = find?.end ?? start + match[0].length;
      pattern.lastIndex = from - base;
    }
    from = Math.max(from, until);
  };
}
