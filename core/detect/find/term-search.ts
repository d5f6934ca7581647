import { isWordUnit } from '../read/characters.ts';
import { createTermFinder, type TermVisitor } from '../read/term-finder.ts';
import type { TextSource } from '../read/texts.ts';
import { type Sentences, sentencesOf } from './assertion-context.ts';
import type { Candidate, TermDetector } from './detector.ts';

/** Searches one text with the detectors that pass `isWanted`; with all by default. */
type TermSearch = (
  text: string,
  source: TextSource,
  push: (detector: TermDetector, candidate: Candidate) => void,
  isWanted?: (detector: TermDetector) => boolean,
) => void;

/**
 * Searches for the terms of all these detectors in one pass. Most texts contain terms of few detectors, so a detector's
 * visitor for a text is created at its first term.
 */
export function createTermSearch(detectors: readonly TermDetector[]): TermSearch {
  const find = createTermFinder(detectors.flatMap(({ terms }) => terms));
  const owners = detectors.flatMap((detector, at) => detector.terms.map(() => at));
  const numbers = detectors.flatMap(({ terms }) => terms.map((_, number) => number));
  /** 1 for a term that is ignored inside words, which skips half of the occurrences in ordinary text. */
  const startsWord = Uint8Array.from(
    detectors.flatMap(({ terms, atWordStart = false }) =>
      terms.map((term) => (atWordStart && isWordUnit(term.charCodeAt(0)) ? 1 : 0)),
    ),
  );
  return (text, source, push, isWanted) => {
    const visitors = new Array<TermVisitor | null | undefined>(detectors.length);
    let sentences: Sentences | undefined;
    const visitorOf = (owner: number): TermVisitor | null => {
      const detector = detectors[owner]!;
      if (detector.sources?.includes(source) === false || isWanted?.(detector) === false) return null;
      sentences ??= sentencesOf(text);
      return detector.visitor(text, (found) => push(detector, found), source, sentences);
    };
    find(text, (index, start, end) => {
      if (startsWord[index] === 1 && start > 0 && isWordUnit(text.charCodeAt(start - 1))) return;
      const owner = owners[index]!;
      let visitor = visitors[owner];
      if (visitor === undefined) {
        visitor = visitorOf(owner);
        visitors[owner] = visitor;
      }
      visitor?.(numbers[index]!, start, end);
    });
  };
}
