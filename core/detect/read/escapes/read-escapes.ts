import { isSpace } from '../characters.ts';
import { normalise, type ReadText } from '../normalise/normalise.ts';
import { type OffsetMap, OffsetMapWriter, SAME_OFFSETS } from '../normalise/offset-map.ts';
import { NumberList } from '../number-list.ts';
import { TextWriter } from '../text-writer.ts';
import { BACKSLASH, backslashAt, runEnd, terminalAt } from './backslash.ts';
import { entityAt } from './entities.ts';
import type { Escape } from './escape.ts';
import { FormFields } from './form-fields.ts';
import { PathGuard } from './path-guard.ts';
import { percentAt } from './percent.ts';
import { SpanList } from './span-list.ts';

/** A text whose escape sequences are replaced with the characters that they stand for. */
export interface UnescapedText extends ReadText {
  /** The spans of the escape sequences in the original text, in order. */
  readonly escapes: SpanList;
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they separate words in text that a program wrote.
/** A single class, so that a text without escapes, as most are, is read only once. */
const MARK = /[\\%&\0-\x08\x0b\x0c\x0e-\x1f]/;
const SIGN = /\\[!-\]^-~]|%[0-9A-Fa-f]{2}|&[#A-Za-z]|[\0-\x08\x0b\x0c\x0e-\x1f]/;
const NEXT = /[\\%&\0-\x08\x0b\x0c\x0e-\x1f]/g;
const NEXT_OR_PLUS = /[\\%&+\0-\x08\x0b\x0c\x0e-\x1f]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above.

const [PERCENT, AMPERSAND, APOSTROPHE, PLUS, TERMINAL] = [37, 38, 39, 43, 0x1b];
const BLANK: Escape = { width: 1, form: ' ' };

const isControl = (unit: number): boolean => unit < 32 && !isSpace(unit);

/** UTF-16 that was decoded as single bytes: every second character is a control character. */
const isHalf = (text: string, at: number): boolean =>
  (isControl(text.charCodeAt(at + 2)) && !isControl(text.charCodeAt(at + 1))) ||
  (isControl(text.charCodeAt(at - 2)) && !isControl(text.charCodeAt(at - 1)));

class EscapeReader {
  readonly #text: string;
  readonly #paths: PathGuard;
  readonly #forms: FormFields;
  readonly #offsets = new OffsetMapWriter();
  readonly #read = new TextWriter();
  readonly #escapes = new SpanList(new NumberList(), new NumberList());
  readonly #isEscape = (at: number, end: number): boolean => this.#paths.isEscape(at, end);
  #done = 0;

  constructor(text: string) {
    this.#text = text;
    this.#paths = new PathGuard(text);
    this.#forms = new FormFields(text);
  }

  /** Null if nothing is escaped. */
  unescaped(): { readonly text: string; readonly offsets: OffsetMap; readonly escapes: SpanList } | null {
    const text = this.#text;
    const next = text.includes('+') && text.includes('=') ? NEXT_OR_PLUS : NEXT;
    let at = 0;
    for (;;) {
      next.lastIndex = at;
      const match = next.exec(text);
      if (match === null) break;
      at = this.#at(match.index);
    }
    if (this.#escapes.length === 0) return null;
    this.#take(text.length);
    return { text: this.#read.text(), offsets: this.#offsets.offsets(), escapes: this.#escapes };
  }

  /** Reads a possible escape sequence; returns where the next one may start. */
  #at(at: number): number {
    const text = this.#text;
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) return this.#backslashes(at);
    const found = this.#escapeOf(unit, at);
    if (found === null) return at + 1;
    this.#write(at, found);
    return at + found.width;
  }

  #escapeOf(unit: number, at: number): Escape | null {
    if (unit === PERCENT) return percentAt(this.#text, at);
    if (unit === AMPERSAND) return entityAt(this.#text, at);
    if (unit === PLUS) return this.#forms.isBlank(at) ? BLANK : null;
    if (unit === TERMINAL) return { width: 1 + terminalAt(this.#text, at + 1), form: ' ' };
    return isHalf(this.#text, at) ? { width: 1, form: '' } : BLANK;
  }

  #backslashes(at: number): number {
    const text = this.#text;
    const end = runEnd(text, at);
    // "'\''" is an apostrophe inside single quotes of a shell.
    const isShell = end === at + 1 && text.startsWith("''", end) && text.charCodeAt(at - 1) === APOSTROPHE;
    if (isShell) {
      this.#take(at);
      this.#done = end + 2;
      this.#offsets.extended(this.#done);
      this.#escapes.add(at - 1, this.#done);
      return this.#done;
    }
    const found = backslashAt(text, at, end, this.#isEscape);
    if (found === null) return end;
    this.#write(at, found);
    return at + found.width;
  }

  #write(at: number, { width, form }: Escape): void {
    this.#take(at);
    if (form !== '') {
      this.#offsets.derived(form.length, at, width);
      this.#read.add(form);
    }
    this.#done = at + width;
    this.#escapes.add(at, this.#done);
  }

  #take(until: number): void {
    this.#offsets.copied(until - this.#done, this.#done);
    this.#read.add(this.#text.slice(this.#done, until));
    this.#done = until;
  }
}

/** Chains two maps: offsets in a text that was derived twice. */
const composed = (last: OffsetMap, first: OffsetMap): OffsetMap => ({
  start: (index) => first.start(last.start(index)),
  end: (index) => first.end(last.end(index)),
  across: (start, end) => {
    const span = last.across(start, end);
    return first.across(span.start, span.end);
  },
});

/**
 * A text as value detectors read it: normalised, with the escapes of JSON, programs and shells, percent-encoding,
 * character references and Markdown's backslashes replaced, up to two levels deep. Null if the text has none of them.
 * Linear time.
 */
export function readEscapes(text: string): UnescapedText | null {
  if (!MARK.test(text) || !SIGN.test(text)) return null;
  const unescaped = new EscapeReader(text).unescaped();
  if (unescaped === null) return null;
  const { escapes } = unescaped;
  const read = normalise(unescaped.text);
  const offsets =
    read.offsets === SAME_OFFSETS ? unescaped.offsets : composed(read.offsets, unescaped.offsets);
  return { text: read.text, offsets, escapes };
}
