import type { Candidate, SearchDetector, TermDetector } from '#core/detect/find/detector.ts';
import { createTermSearch } from '#core/detect/find/term-search.ts';

type LocalDetector = SearchDetector | TermDetector;

/**
 * The matches of some detectors in one text, each detector separately, so that no match is lost to another detector's.
 */
export function createLocalFinder(detectors: readonly LocalDetector[]): (text: string) => Candidate[] {
  const searches = detectors.filter((detector) => 'search' in detector);
  const searchTerms = createTermSearch(detectors.filter((detector) => 'terms' in detector));
  return (text) => {
    const found: Candidate[] = searches.flatMap((detector) => detector.search(text));
    searchTerms(text, 'prompt', (_detector, find) => found.push(find));
    return found.sort((a, b) => a.start - b.start || a.end - b.end);
  };
}
