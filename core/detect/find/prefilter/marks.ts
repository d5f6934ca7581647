import { loosenedReader } from './compile.ts';
import { NONE, type Reader } from './reader.ts';

/** The ends of a pattern's matches in one text. Each part of the text is read once, on demand. */
export interface Marks {
  /** The first end after `from`, up to `until`; `NONE` if there is none. */
  first(from: number, until: number): number;
  /** The last end after `from`, up to `until`; `NONE` if there is none. */
  last(from: number, until: number): number;
}

/** `folded`: the text prepared for literal search (`foldedForLiterals`), which all markers of a text share. */
export type Marker = (text: string, folded: () => string) => Marks;

/** Code units read at a time; few, so that a query about one offset does not read a long text. */
const BLOCK = 512;
/** Maximum length of the built-in markers' matches; longer ones are missed at the start of a block. */
const OVERLAP = 64;

/**
 * Marks the matches of a pattern without the flags g and y, such as words that give a sentence its assertion context.
 * Matches are the shortest possible and consecutive; repetitions of more than three are unlimited; `\b` is the only
 * look-around. Instead of a look-ahead, `unlessAfter`, a pattern with the flag y, excludes matches directly before it.
 */
export function markerOf(pattern: RegExp, unlessAfter?: RegExp): Marker {
  const loosened = loosenedReader(pattern, true);
  return (text) => textMarks(text, loosened().read, unlessAfter);
}

function textMarks(text: string, read: Reader, unlessAfter: RegExp | undefined) {
  const blocks: (readonly number[] | undefined)[] = [];

  const first = (from: number, until: number): number => {
    for (let block = Math.floor(from / BLOCK); block * BLOCK < until; block++) {
      for (const end of endsOf(block)) if (end > from) return end <= until ? end : NONE;
    }
    return NONE;
  };

  const last = (from: number, until: number): number => {
    for (let block = Math.ceil(until / BLOCK) - 1; block >= 0 && (block + 1) * BLOCK > from; block--) {
      const ends = endsOf(block);
      let at = ends.length - 1;
      while (at >= 0 && ends[at]! > until) at--;
      if (at >= 0) return ends[at]! > from ? ends[at]! : NONE;
    }
    return NONE;
  };

  const endsOf = (block: number): readonly number[] => {
    let ends = blocks[block];
    if (ends === undefined) {
      ends = readBlock(block);
      blocks[block] = ends;
    }
    return ends;
  };

  const readBlock = (block: number): readonly number[] => {
    const [start, end] = [block * BLOCK, (block + 1) * BLOCK];
    const ends: number[] = [];
    const until = Math.min(end + 1, text.length);
    for (let from = Math.max(0, start - OVERLAP); from <= until; ) {
      const found = read(text, from, until);
      if (found < 0 || found > end) break;
      if (found > start && isKept(text, found, unlessAfter)) ends.push(found);
      // A pattern that can match the empty string matches again at its own end.
      from = Math.max(found, from + 1);
    }
    return ends;
  };
  return { first, last };
}

function isKept(text: string, end: number, unlessAfter: RegExp | undefined): boolean {
  if (unlessAfter === undefined) return true;
  unlessAfter.lastIndex = end;
  return !unlessAfter.test(text);
}
