import type { Decoder, HiddenText } from './decoder.ts';
import { encodedRuns } from './encoded-runs.ts';
import { escapes } from './escapes.ts';
import { leet } from './leet.ts';
import type { Signs } from './signs.ts';
import { spacedLetters } from './spaced-letters.ts';
import { turned } from './turned.ts';

interface SignedDecoder {
  readonly decode: Decoder;
  /** Whether the decoder can find anything, given these signs. */
  readonly mayFind: (signs: Signs) => boolean;
}

const RUNS: readonly SignedDecoder[] = [
  { decode: encodedRuns, mayFind: ({ runs }) => runs },
  { decode: spacedLetters, mayFind: ({ spaced }) => spaced },
];
const OF_VALUES: readonly SignedDecoder[] = [
  ...RUNS,
  { decode: escapes, mayFind: ({ escapes: any }) => any },
];
const ALL: readonly SignedDecoder[] = [
  ...OF_VALUES,
  { decode: turned, mayFind: () => true },
  { decode: leet, mayFind: ({ leet: any }) => any },
];

/** Maximum total length of hidden texts, relative to the text, which keeps the work linear. */
const MAX_TIMES_READ = 2;

/** Which decoders to try: those allowed inside a hidden text, those whose texts may contain values, or all. */
type Tried = 'NESTED' | 'VALUES' | 'ALL';
const DECODERS: Readonly<Record<Tried, readonly SignedDecoder[]>> = { NESTED: RUNS, VALUES: OF_VALUES, ALL };

/** Texts hidden in a text. */
export function hiddenTexts(text: string, signs: Signs, tried: Tried): readonly HiddenText[] {
  const found: HiddenText[] = [];
  if (text === '') return found;
  let left = MAX_TIMES_READ * text.length;
  for (const { decode, mayFind } of DECODERS[tried]) {
    if (!mayFind(signs)) continue;
    for (const hidden of decode(text)) {
      if (hidden.text.length > left) continue;
      left -= hidden.text.length;
      found.push(hidden);
    }
  }
  return found;
}
