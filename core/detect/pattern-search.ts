import type { Candidate } from './detector.ts';

/** How far before a match the patterns of detectors look. */
const LOOK_BEHIND = 8;

/**
 * A walk from match to match of a global pattern, in pieces. `reach`: the most units that a match has together with
 * what the pattern looks at behind it. `findAt` gets each match with its place in the text (the match's index is not
 * that) and says what is found there; the walk goes on behind the find, or else behind the match.
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
    // Only so much is shown to the pattern: it would search for the next match to the end of the text.
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
