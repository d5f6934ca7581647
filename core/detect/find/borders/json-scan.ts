import { isAsciiAlphanumeric, isDigit, skipWhile } from '../../read/characters.ts';

export type LiteralKind = 'KEY' | 'STRING' | 'NUMBER';

/** A string without its quotes, or a number. */
export interface Token {
  readonly kind: LiteralKind;
  readonly start: number;
  readonly end: number;
}

/** A span of a text that is JSON, up to where it stops being valid. */
export interface JsonRegion {
  readonly start: number;
  readonly end: number;
  /** In order. */
  readonly tokens: readonly Token[];
}

type Expected = 'VALUE' | 'KEY' | 'COLON' | 'NEXT';

const NUMBER = /-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?/y;
/** JSON literals, including those of Python and JavaScript. */
const WORDS = new Set(['true', 'false', 'null', 'True', 'False', 'None', 'undefined', 'NaN']);
const isNameUnit = (unit: number): boolean => isAsciiAlphanumeric(unit) || unit === 95 || unit === 36;
const isBlank = (unit: number): boolean => unit === 32 || unit === 9 || unit === 10 || unit === 13;
const [BACKSLASH, LINE_FEED] = [92, 10];

/** Reads one region. A class, because its state is passed from token to token. */
class RegionReader {
  readonly #text: string;
  readonly #start: number;
  #at: number;
  /** End of the last valid token. */
  #end: number;
  #expected: Expected = 'VALUE';
  /** Open brackets: true for an object, false for a list. */
  readonly #open: boolean[] = [];
  readonly #tokens: Token[] = [];
  #hasNames = false;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
    this.#at = start;
    this.#end = start;
  }

  /** Where reading stopped: no other region starts before this. */
  get stopped(): number {
    return Math.max(this.#at, this.#start + 1);
  }

  read(): JsonRegion | null {
    let isDone = false;
    while (!isDone) {
      this.#at = skipWhile(this.#text, this.#at, this.#text.length, isBlank);
      if (this.#at >= this.#text.length) {
        this.#end = this.#text.length;
        break;
      }
      if (!this.#token()) break;
      isDone = this.#open.length === 0;
    }
    // Drops tokens that no valid token follows, because they were not values: "[4111 1111 1111 1111]".
    while ((this.#tokens.at(-1)?.end ?? 0) > this.#end) this.#tokens.pop();
    const isJson = this.#tokens.length > 0 && (this.#hasNames || this.#isLine(isDone));
    return isJson ? { start: this.#start, end: this.#end, tokens: this.#tokens } : null;
  }

  /** Whether a list fills its line: a list of numbers in a sentence is not JSON. */
  #isLine(isDone: boolean): boolean {
    const before = this.#text.slice(Math.max(0, this.#start - 1), this.#start);
    return isDone && /^\n?$/.test(before) && /^\r?\n?$/.test(this.#text.slice(this.#at, this.#at + 1));
  }

  /** Reads one token; false if it is not valid here. */
  #token(): boolean {
    const mark = this.#text[this.#at]!;
    switch (this.#expected) {
      case 'VALUE':
        return this.#value(mark);
      case 'KEY':
        return mark === '}' ? this.#close() : this.#key(mark);
      case 'COLON':
        return mark === ':' && this.#mark('VALUE');
      case 'NEXT':
        if (mark === ',') return this.#mark(this.#open.at(-1) === true ? 'KEY' : 'VALUE');
        return mark === (this.#open.at(-1) === true ? '}' : ']') && this.#close();
    }
  }

  #mark(expected: Expected): boolean {
    this.#at++;
    this.#end = this.#at;
    this.#expected = expected;
    return true;
  }

  #close(): boolean {
    this.#open.pop();
    return this.#mark('NEXT');
  }

  #value(mark: string): boolean {
    if (mark === '{' || mark === '[') {
      this.#open.push(mark === '{');
      this.#hasNames ||= mark === '{';
      return this.#mark(mark === '{' ? 'KEY' : 'VALUE');
    }
    if (mark === ']') return this.#open.at(-1) === false && this.#close();
    if (mark === '"' || mark === "'") return this.#string('STRING', 'NEXT');
    if (mark === '-' || isDigit(mark.charCodeAt(0))) return this.#number();
    const end = skipWhile(this.#text, this.#at, this.#at + 12, isNameUnit);
    if (!WORDS.has(this.#text.slice(this.#at, end))) return false;
    this.#at = end;
    this.#expected = 'NEXT';
    return true;
  }

  #key(mark: string): boolean {
    if (mark === '"' || mark === "'") return this.#string('KEY', 'COLON');
    const end = skipWhile(this.#text, this.#at, this.#at + 64, isNameUnit);
    if (end === this.#at) return false;
    this.#at = end;
    this.#expected = 'COLON';
    return true;
  }

  #number(): boolean {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) return false;
    this.#add('NUMBER', this.#at, this.#at + match[0].length, 'NEXT');
    return true;
  }

  #add(kind: LiteralKind, start: number, end: number, expected: Expected): void {
    this.#tokens.push({ kind, start, end });
    this.#at = kind === 'NUMBER' ? end : Math.min(end + 1, this.#text.length);
    this.#expected = expected;
  }

  /** Reads a string up to its quote, or to the end of a truncated text. */
  #string(kind: LiteralKind, expected: Expected): boolean {
    const text = this.#text;
    const quote = text.charCodeAt(this.#at);
    const start = this.#at + 1;
    let at = start;
    for (let unit = text.charCodeAt(at); at < text.length && unit !== quote; unit = text.charCodeAt(at)) {
      if (unit === LINE_FEED) {
        this.#at = at;
        return false;
      }
      at += unit === BACKSLASH ? 2 : 1;
    }
    this.#hasNames = true;
    this.#add(kind, start, Math.min(at, text.length), expected);
    return true;
  }
}

const OPENS = /[[{]/g;

/**
 * The JSON regions of a text, even if the surrounding text is not JSON or a region is cut off. Lists and objects of
 * Python and JavaScript count. Linear time.
 */
export function jsonRegions(text: string): JsonRegion[] {
  const regions: JsonRegion[] = [];
  let at = 0;
  for (;;) {
    OPENS.lastIndex = at;
    const open = OPENS.exec(text);
    if (open === null) return regions;
    const reader = new RegionReader(text, open.index);
    const region = reader.read();
    if (region !== null) regions.push(region);
    at = reader.stopped;
  }
}
