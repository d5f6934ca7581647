import { detect } from './detect.ts';
import { DETECTORS } from './detectors.ts';

/**
 * Runs every detector over a text of all their terms, so that V8 has compiled their patterns before the first request:
 * it does so at a pattern's first uses, which takes some milliseconds for each, a second or two for all of them.
 */
export function warmUp(): void {
  const terms = DETECTORS.flatMap((detector) => ('terms' in detector ? detector.terms : []));
  const text = terms.map((term) => `${term} women are also so; `).join('');
  for (let round = 0; round < 2; round++) {
    for (const source of ['userInput', 'response'] as const) {
      detect([{ source, text }]);
      // Compiled once more for texts with characters beyond Latin-1.
      detect([{ source, text: `${text}\u2019` }]);
    }
  }
}
