import { isEastAsian } from '../east-asian/find.ts';
import {
  classOf,
  DIGIT,
  hashOf,
  hashOfWord,
  isApostrophe,
  isUpper,
  LETTER,
  NEWLINE,
  SPACE,
  SYMBOL,
} from './letters.ts';
import { GIVEN, type Lexicon, PLACE, PROPER, STREET, SURNAME } from './lexicon.ts';
import { BLOB, isGenitive, LINE_END, MARK, scanWord, type WordScan } from './word-scan.ts';

/** The tokens of a piece of text, one array per property. */
export interface Tokens {
  readonly text: string;
  readonly count: number;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Hash of the word in lower case without accents. */
  readonly hash: Int32Array;
  readonly shape: Uint8Array;
  /** Bits from the lexicon. */
  readonly flags: Uint8Array;
}

/** Buffers for the tokens of a text. */
export type TokenRoom = Pick<Tokens, 'start' | 'end' | 'hash' | 'shape' | 'flags'>;

/** Creates buffers for a text of up to this many code units. */
export function createTokenRoom(units: number): TokenRoom {
  const most = units + 1;
  return {
    start: new Int32Array(most),
    end: new Int32Array(most),
    hash: new Int32Array(most),
    shape: new Uint8Array(most),
    flags: new Uint8Array(most),
  };
}

const LINE_HASH = hashOfWord('\n');
const BLANK_LINE_HASH = hashOfWord('\n\n');
const BLOB_HASH = hashOfWord('__');
/** Distinguishes a mark directly after a word ("name:") from a mark after a blank ("(see"). */
const GAP = 0x51ed270b;

const UNDERSCORE = 95;
const HYPHEN = 45;
const POINT = 46;
const AT = 64;
const COLON = 58;
const SLASH = 47;
const CARRIAGE_RETURN = 13;
/** Quotes, brackets and commas, which end an email address or a URL. */
const ENDS_BLOB = new Set([...'"\'<>,)]`'].map((mark) => mark.charCodeAt(0)));
const STARTS_BLOB = new Set([...'"\'(<[`,'].map((mark) => mark.charCodeAt(0)));

const isWordClass = (kind: number): boolean => kind === LETTER || kind === DIGIT;
const isLower = (unit: number): boolean => classOf(unit) === LETTER && !isUpper(unit);

/** End of the text up to a blank, quote or bracket, without a final full stop or question mark. */
function endOfBlob(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit) {
    const unit = text.charCodeAt(at);
    const kind = classOf(unit);
    if (kind === SPACE || kind === NEWLINE || ENDS_BLOB.has(unit)) break;
    at++;
  }
  while (at > from + 1 && (text.charCodeAt(at - 1) === POINT || text.charCodeAt(at - 1) === 63)) at--;
  return at;
}

/**
 * Whether an at sign, "://", or a full stop between lower-case letters makes the word at `at` part of something longer.
 */
function continues(text: string, at: number): boolean {
  if (at + 1 >= text.length) return false;
  const unit = text.charCodeAt(at);
  if (unit === AT) return isWordClass(classOf(text.charCodeAt(at + 1)));
  if (unit === COLON) return text.charCodeAt(at + 1) === SLASH && text.charCodeAt(at + 2) === SLASH;
  if (unit !== POINT || isEastAsian(text.charCodeAt(at + 1))) return false;
  return isLower(text.charCodeAt(at + 1)) && isLower(text.charCodeAt(at - 1));
}

/** An unknown compound such as "Smith-Jones" has the flags of its parts. */
function flagsOfCompound(text: string, start: number, end: number, lexicon: Lexicon): number {
  let first = start;
  while (text.charCodeAt(first) !== HYPHEN) first++;
  let last = end;
  while (text.charCodeAt(last - 1) !== HYPHEN) last--;
  const ofFirst = lexicon.flagsOf(hashOf(text, start, first));
  const ofLast = lexicon.flagsOf(hashOf(text, last, end));
  return ofFirst | (ofLast & (SURNAME | GIVEN | PLACE | PROPER | STREET));
}

/** Splits `text` from `from` to `until` into tokens, which are stored in `room`. */
export function tokenise(
  text: string,
  from: number,
  until: number,
  lexicon: Lexicon,
  room = createTokenRoom(until - from),
): Tokens {
  const { start, end, hash, shape, flags } = room;
  return {
    text,
    count: new Tokeniser(text, from, until, lexicon, room).read(),
    start,
    end,
    hash,
    shape,
    flags,
  };
}

/** Reused for every word. */
const scan: WordScan = { end: 0, hash: 0, shape: 0, hasHyphen: false };

/** Reads the tokens of one piece of text. */
class Tokeniser {
  readonly #text: string;
  readonly #from: number;
  readonly #until: number;
  readonly #lexicon: Lexicon;
  readonly #room: TokenRoom;
  #count = 0;

  constructor(text: string, from: number, until: number, lexicon: Lexicon, room: TokenRoom) {
    this.#text = text;
    this.#from = from;
    this.#until = until;
    this.#lexicon = lexicon;
    this.#room = room;
  }

  /** Returns the number of tokens. */
  read(): number {
    const text = this.#text;
    for (let at = this.#from; at < this.#until; ) {
      const unit = text.charCodeAt(at);
      const kind = classOf(unit);
      if (kind === SPACE) at++;
      else if (isWordClass(kind) || unit === UNDERSCORE) at = this.#addWord(at);
      else if (kind === NEWLINE) at = this.#addLineEnd(at);
      else if (unit === AT && isWordClass(classOf(text.charCodeAt(at + 1)))) at = this.#addBlob(at, at);
      else at = this.#addMark(at, unit);
    }
    return this.#count;
  }

  #add(first: number, last: number, kind: number, value: number, known: number): number {
    const { start, end, hash, shape, flags } = this.#room;
    const at = this.#count++;
    start[at] = first;
    end[at] = last;
    shape[at] = kind;
    hash[at] = value;
    flags[at] = known;
    return last;
  }

  #addLineEnd(at: number): number {
    const text = this.#text;
    const { hash, shape } = this.#room;
    const isPair =
      text.charCodeAt(at) === CARRIAGE_RETURN && text.charCodeAt(at + 1) === 10 && at + 1 < this.#until;
    const last = this.#count - 1;
    if (last >= 0 && shape[last] === LINE_END) hash[last] = BLANK_LINE_HASH;
    else this.#add(at, at + 1, LINE_END, LINE_HASH, 0);
    return isPair ? at + 2 : at + 1;
  }

  /** Replaces the tokens joined to `at` without a blank, and the following text, with a single token. */
  #addBlob(at: number, stop: number): number {
    const text = this.#text;
    const { start, end, shape } = this.#room;
    let first = at;
    while (this.#count > 0 && end[this.#count - 1] === first && shape[this.#count - 1] !== LINE_END) {
      if (STARTS_BLOB.has(text.charCodeAt(start[this.#count - 1]!))) break;
      first = start[--this.#count]!;
    }
    return this.#add(first, endOfBlob(text, stop + 1, this.#until), BLOB, BLOB_HASH, 0);
  }

  #addWord(at: number): number {
    const text = this.#text;
    const lexicon = this.#lexicon;
    scanWord(text, at, this.#until, scan);
    if (scan.end < this.#until && continues(text, scan.end)) return this.#addBlob(at, scan.end);
    const known = lexicon.flagsOf(scan.hash);
    const ofParts = known === 0 && scan.hasHyphen ? flagsOfCompound(text, at, scan.end, lexicon) : known;
    return this.#add(at, scan.end, scan.shape, scan.hash, ofParts);
  }

  #addMark(at: number, unit: number): number {
    const text = this.#text;
    const until = this.#until;
    const isPair = unit >= 0xd800 && unit <= 0xdbff && at + 1 < until;
    const before = at === 0 ? SYMBOL : classOf(text.charCodeAt(at - 1));
    const isOwner = isApostrophe(unit) && at > this.#from && isWordClass(before) && isGenitive(text, at);
    const last = Math.min(until, isPair || isOwner ? at + 2 : at + 1);
    const value = hashOf(text, at, last);
    return this.#add(at, last, MARK, before === SPACE ? value ^ GAP : value, 0);
  }
}

export const isMark = (tokens: Tokens, token: number): boolean =>
  tokens.shape[token] === MARK || tokens.shape[token] === LINE_END;
