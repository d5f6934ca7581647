import type { Program } from './program.ts';
import { setTest } from './sets.ts';

/** The kinds of characters next to an offset that assertions distinguish. */
export const OTHER = 0;
export const WORD = 1;
export const LINE_BREAK = 2;
/** No character: the start or the end of the text. */
export const EDGE = 3;

const LINE_BREAKS = new Set([0x0a, 0x0d, 0x2028, 0x2029]);
const ASCII = 128;
/** Number of characters beyond ASCII whose symbol is cached. */
const REMEMBERED = 4_096;

/** Characters that a pattern does not distinguish share one symbol, numbered from 0. */
export interface Alphabet {
  /** Symbols of the ASCII characters. */
  readonly ascii: Uint16Array;
  symbolOf(codePoint: number): number;
  /** For every symbol known so far: 1 for each of the program's sets that contains its characters. */
  readonly inSets: readonly Uint8Array[];
  /** For every symbol known so far: OTHER, WORD or LINE_BREAK. */
  readonly kindOf: readonly number[];
}

export function createAlphabet({ sets, looksAround }: Program, flags: string): Alphabet {
  const isWord = setTest('\\w', flags);
  const others = new Map<number, number>();
  const symbols = new Map<string, number>();
  const inSets: Uint8Array[] = [];
  const kindOf: number[] = [];

  const classify = (codePoint: number): number => {
    const character = String.fromCodePoint(codePoint);
    const holding = Uint8Array.from(sets, (holds) => (holds(character) ? 1 : 0));
    const side = LINE_BREAKS.has(codePoint) ? LINE_BREAK : isWord(character) ? WORD : OTHER;
    const kind = looksAround ? side : OTHER;
    const name = `${kind}:${holding.join('')}`;
    const known = symbols.get(name);
    if (known !== undefined) return known;
    symbols.set(name, inSets.length);
    kindOf.push(kind);
    return inSets.push(holding) - 1;
  };

  const ascii = Uint16Array.from({ length: ASCII }, (_, codePoint) => classify(codePoint));
  return {
    ascii,
    symbolOf: (codePoint) => {
      if (codePoint < ASCII) return ascii[codePoint]!;
      let symbol = others.get(codePoint);
      if (symbol === undefined) {
        symbol = classify(codePoint);
        if (others.size === REMEMBERED) others.clear();
        others.set(codePoint, symbol);
      }
      return symbol;
    },
    inSets,
    kindOf,
  };
}
