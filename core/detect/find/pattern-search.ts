import type { Candidate } from './detector.ts';

/**
 * Collects the candidates at the matches of a global pattern. `findAt` gets each match with its offset and returns its
 * candidate. The search continues after the candidate if there is one, otherwise after the match.
 */
export function matchesOf(
  pattern: RegExp,
  text: string,
  findAt: (match: RegExpExecArray, start: number) => Candidate | null,
): Candidate[] {
  const found: Candidate[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const candidate = findAt(match, match.index);
    if (candidate !== null) found.push(candidate);
    pattern.lastIndex = candidate?.end ?? match.index + match[0].length;
  }
  return found;
}
