import { isAsciiLetter, isSpace } from '../../../read/characters.ts';

/** The state in which a browser may meet a value: between tags, or inside an attribute of one of four forms. */
export type MarkupState = 'TEXT' | 'DOUBLE' | 'SINGLE' | 'BACKTICK' | 'BARE';

interface MarkupVisitor {
  /** A start tag's or end tag's name in lower case. */
  readonly tag: (name: string, isEnd: boolean) => void;
  /** `value` is null for an attribute without one. */
  readonly attribute: (tag: string, name: string, value: string | null) => void;
  /** Raw content of an element such as a script or style, in which no tag starts. */
  readonly content: (tag: string, text: string) => void;
  /** A comment, doctype or processing instruction, without its delimiters. */
  readonly declaration: (content: string) => void;
}

const MAX_NAME = 64;
const isNameEnd = (unit: number): boolean =>
  isSpace(unit) || unit === 0 || unit === 47 || unit === 62 || unit === 61;

/** Elements in which no tag starts before their end tag. */
const RAW = /^(?:script|style|textarea|title|xmp|noembed|noframes|plaintext)$/;

/** Reads a value once, from left to right, like HTML5's tokeniser. */
class MarkupReader {
  readonly #text: string;
  readonly #visit: MarkupVisitor;
  /** Last offset of each sign, so that none is searched for after it. */
  readonly #lasts = new Map<string, number>();
  #lower: string | null = null;
  /** An element without an end tag was found; its content, the rest of the text, is reported only once. */
  #isOpen = false;

  constructor(text: string, visit: MarkupVisitor) {
    this.#text = text;
    this.#visit = visit;
  }

  read(state: MarkupState): void {
    let at = 0;
    if (state !== 'TEXT') at = this.#restOfAttribute(state);
    while (at < this.#text.length) at = this.#nextTag(at);
  }

  /** The text after the attribute that contains the value is read as further attributes of the same tag. */
  #restOfAttribute(state: MarkupState): number {
    const text = this.#text;
    const quote = state === 'DOUBLE' ? '"' : state === 'SINGLE' ? "'" : '`';
    if (state === 'BARE') {
      const end = text.search(/[\s>]/);
      return end === -1 ? text.length : this.#attributes('', end);
    }
    const end = text.indexOf(quote);
    return end === -1 ? text.length : this.#attributes('', end + 1);
  }

  #nextTag(from: number): number {
    const text = this.#text;
    const open = text.indexOf('<', from);
    if (open === -1) return text.length;
    const next = text[open + 1] ?? ' ';
    if (next === '!' || next === '?') return this.#declaration(open + 1);
    const isEnd = next === '/';
    const first = isEnd ? open + 2 : open + 1;
    if (!isAsciiLetter(text.charCodeAt(first)) && !(next === '%' || next === '\0')) return open + 1;
    let end = first;
    while (end < text.length && !isNameEnd(text.charCodeAt(end)) && text[end] !== '<') end++;
    const name = text.slice(first, Math.min(end, first + MAX_NAME)).toLowerCase();
    this.#visit.tag(name, isEnd);
    const after = this.#attributes(name, end);
    return !isEnd && RAW.test(name) ? this.#rawText(name, after) : after;
  }

  /**
   * Reads up to the matching end tag. After an unclosed element reading continues, because the surrounding page may
   * close it.
   */
  #rawText(name: string, from: number): number {
    const close = this.#indexOf(`</${name}`, from);
    if (close === -1 && this.#isOpen) return from;
    this.#isOpen ||= close === -1;
    this.#visit.content(name, this.#text.slice(from, close === -1 ? this.#text.length : close));
    return close === -1 ? from : close;
  }

  /** Case-insensitive; returns -1 without reading on if the sign does not occur again. */
  #indexOf(sign: string, from: number): number {
    this.#lower ??= this.#text.toLowerCase();
    const last = this.#lasts.get(sign) ?? this.#lower.lastIndexOf(sign);
    this.#lasts.set(sign, last);
    return last < from ? -1 : this.#lower.indexOf(sign, from);
  }

  #declaration(from: number): number {
    const text = this.#text;
    const isComment = text.startsWith('--', from + 1);
    const end = isComment ? this.#indexOf('-->', from + 3) : text.indexOf('>', from);
    const until = end === -1 ? text.length : end;
    this.#visit.declaration(text.slice(from, Math.min(until, from + 400)));
    return isComment ? Math.min(text.length, from + 3) : Math.min(text.length, until + 1);
  }

  /** Reads the attributes of a tag; returns the offset after it. */
  #attributes(tag: string, from: number): number {
    const text = this.#text;
    let at = from;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      if (unit === 62) return at + 1;
      if (unit === 60 && tag !== '') return at;
      if (isSpace(unit) || unit === 47 || unit === 0) {
        at++;
        continue;
      }
      at = this.#attribute(tag, at);
    }
    return at;
  }

  #attribute(tag: string, from: number): number {
    const text = this.#text;
    let end = from + 1;
    while (end < text.length && !isNameEnd(text.charCodeAt(end))) end++;
    const name = text
      .slice(from, Math.min(end, from + MAX_NAME))
      .toLowerCase()
      .replace(/^["'`;,(){}]{1,8}/, '');
    let at = end;
    while (isSpace(text.charCodeAt(at)) || text[at] === '/') at++;
    if (text[at] !== '=') {
      if (name !== '') this.#visit.attribute(tag, name, null);
      return Math.max(end, from + 1);
    }
    at++;
    while (isSpace(text.charCodeAt(at)) || text[at] === '=') at++;
    const quote = text[at];
    if (quote === '"' || quote === "'" || quote === '`') {
      const close = text.indexOf(quote, at + 1);
      const until = close === -1 ? text.length : close;
      this.#visit.attribute(tag, name, text.slice(at + 1, until));
      return until + 1;
    }
    let until = at;
    while (until < text.length && !isSpace(text.charCodeAt(until)) && text[until] !== '>') until++;
    this.#visit.attribute(tag, name, text.slice(at, until));
    return until;
  }
}

/** Reports to `visit` the tags and attributes of a value that a browser meets in `state`. */
export function readMarkup(value: string, state: MarkupState, visit: MarkupVisitor): void {
  new MarkupReader(value, visit).read(state);
}
