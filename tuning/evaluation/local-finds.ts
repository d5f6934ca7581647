import {
  type Candidate,
  collecting,
  type SearchDetector,
  type TermDetector,
} from '../../core/detect/detector.ts';
import { createTermSearch } from '../../core/detect/term-search.ts';

export type LocalDetector = SearchDetector | TermDetector;

/** What some detectors find together in one text, each by itself: nothing gives way to another's find. */
export function createLocalFinder(detectors: readonly LocalDetector[]): (text: string) => Candidate[] {
  const searches = detectors.filter((detector) => 'search' in detector);
  const searchTerms = createTermSearch(detectors.filter((detector) => 'terms' in detector));
  return (text) => {
    const found = searches.flatMap((detector) => detector.search(text)(text.length));
    const terms = collecting((push) => searchTerms(text, (_detector, find) => push(find), 'prompt'));
    return [...found, ...terms(text.length)].sort((a, b) => a.start - b.start || a.end - b.end);
  };
}
