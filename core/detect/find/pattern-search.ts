import type { Candidate } from './detector.ts';

/**
 * What is found at the matches of a global pattern. `findAt` receives each match with its place and returns what is
 * found there; the search continues after that, or else after the match.
 */
export function matchesOf(
  pattern: RegExp,
  text: string,
  findAt: (match: RegExpExecArray, start: number) => Candidate | null,
): Candidate[] {
  const found: Candidate[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const find = findAt(match, match.index);
    if (find !== null) found.push(find);
    pattern.lastIndex = find?.end ?? match.index + match[0].length;
  }
  return found;
}
