import type { Candidate, TermDetector } from '../detector.ts';
import type { TextSource } from '../read/texts.ts';
import { sentencesOf } from './assertion-context.ts';
import { createTermFinder, type TermVisitor } from './term-finder.ts';

/** Begins a search of one text; each call continues to `until`. */
type TermSearch = (
  text: string,
  push: (detector: TermDetector, find: Candidate) => void,
  source: TextSource,
) => (until: number) => void;

/** Searches for the terms of all these detectors in one pass. */
export function createTermSearch(detectors: readonly TermDetector[]): TermSearch {
  const find = createTermFinder(detectors.flatMap(({ terms }) => terms));
  const owners = detectors.flatMap(({ terms }, detector) => terms.map((_, term) => ({ detector, term })));
  return (text, push, source) => {
    const sentences = sentencesOf(text);
    const visitors = detectors.map((detector) =>
      detector.sources?.includes(source) === false
        ? null
        : detector.visitor(text, (found) => push(detector, found), source, sentences),
    );
    const visit: TermVisitor = (index, start, end) => {
      const { detector, term } = owners[index]!;
      visitors[detector]?.(term, start, end);
    };
    let place = 0;
    let state = 0;
    return (until) => {
      state = find(text.slice(place, until), place, state, visit);
      place = until;
    };
  };
}
