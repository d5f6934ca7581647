import type { Decoder, HiddenText } from './decoder.ts';
import { encodedRuns } from './encoded-runs.ts';
import { escapes } from './escapes.ts';
import { leet } from './leet.ts';
import { spacedLetters } from './spaced-letters.ts';
import { turned } from './turned.ts';

const RUNS: readonly Decoder[] = [encodedRuns, spacedLetters];
const WHOLE_TEXT: readonly Decoder[] = [escapes, turned, leet];

/** Hidden texts together are at most this many times as long as the text: the work stays linear in it. */
const MOST = 2;

/** Texts hidden in a text. `nested`: the text was hidden itself, and only further decodings are tried. */
export function hiddenTexts(text: string, nested: boolean): readonly HiddenText[] {
  const found: HiddenText[] = [];
  let left = MOST * text.length;
  for (const decode of nested ? RUNS : [...RUNS, ...WHOLE_TEXT]) {
    for (const hidden of decode(text)) {
      if (hidden.text.length > left) continue;
      left -= hidden.text.length;
      found.push(hidden);
    }
  }
  return found;
}
