import { detect } from './detect.ts';
import { DETECTORS } from './find/search/detectors.ts';
import type { SourceText } from './read/texts.ts';

/** Number of a detector's terms that are used, spread from first to last: the terms lead to its patterns. */
const TERMS = 12;
const CONTEXT = [
  'are also so, and',
  'number is 12345678, and',
  ': a1b2c3d4, "',
  'all of the files; ',
] as const;

function sampleOf(terms: readonly string[]): string {
  const step = Math.max(1, Math.floor(terms.length / TERMS));
  return terms
    .filter((_, index) => index % step === 0)
    .map((term, index) => `${term} ${CONTEXT[index % CONTEXT.length]}`)
    .join(' ');
}

/** Texts that contain some terms of every detector. */
export function* warmUpTexts(): Generator<SourceText, void> {
  for (const detector of DETECTORS) {
    const text =
      'terms' in detector ? sampleOf(detector.terms) : 'Ann Lee, 12 Oak Street, paid 4111 1111 1111 1111.';
    // V8 compiles a pattern a second time for texts with characters beyond Latin-1.
    for (const end of ['', ' \u2026']) {
      for (const source of ['prompt', 'response'] as const) yield { source, text: text + end };
    }
  }
}

/**
 * Runs every detector over some of its own terms, so that V8 compiles the patterns before the first request. It would
 * otherwise compile each at its first use, which takes some milliseconds each and a second in total. Yields after each
 * text.
 */
export function* warmUpInSteps(): Generator<void, void> {
  for (const text of warmUpTexts()) {
    detect([text]);
    yield;
  }
}
