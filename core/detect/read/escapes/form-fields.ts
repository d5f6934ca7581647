import { isAsciiLetter, isDigit, isSpace, skipBackWhile, skipWhile } from '../characters.ts';

const ENDS = new Set([...'"\'<>`{}()\\|'].map((mark) => mark.charCodeAt(0)));
const isInForm = (unit: number): boolean => !isSpace(unit) && !ENDS.has(unit);
const FIELD_ENDS = new Set([...'&=?;#'].map((mark) => mark.charCodeAt(0)));
const isInField = (unit: number): boolean => isInForm(unit) && !FIELD_ENDS.has(unit);

/** A longer run of mixed letters and digits is a key. */
const MAX_MIXED = 15;
/** Only letters, digits and Base64 signs, possibly percent-encoded; it ends with its padding, or with a key. */
const BASE64 = /^(?:[A-Za-z0-9+/_-]|%(?:2B|2F|3D)){0,2000}$/i;
const PADDED = /%3D$/i;

/** Whether the field has a run of letters and digits that is neither a word nor a number. */
function hasKey(field: string): boolean {
  let [length, letters, digits] = [0, 0, 0];
  for (let at = 0; at < field.length; at++) {
    const unit = field.charCodeAt(at);
    if (isDigit(unit)) digits++;
    else if (isAsciiLetter(unit)) letters++;
    else [length, letters, digits] = [-1, 0, 0];
    if (++length > MAX_MIXED && letters > 0 && digits > 0) return true;
  }
  return false;
}

/** A `+` at the start belongs to a number: `phone=+49...`. */
const BLANKS_BETWEEN = /[^+]\+/;

function hasBlanks(field: string): boolean {
  if (field.includes('@') || !BLANKS_BETWEEN.test(field)) return false;
  return !(BASE64.test(field) && (PADDED.test(field) || hasKey(field)));
}

/** Distinguishes a `+` that encodes a blank in a URL or a form from any other. Linear: each field is read once. */
export class FormFields {
  readonly #text: string;
  #end = -1;
  #isForm = false;
  #fieldStart = -1;
  #fieldEnd = -1;
  #blanks = false;

  constructor(text: string) {
    this.#text = text;
  }

  isBlank(at: number): boolean {
    const text = this.#text;
    if (at >= this.#end) {
      const start = skipBackWhile(text, at, Math.max(0, this.#end), isInForm);
      this.#end = skipWhile(text, at, text.length, isInForm);
      const form = text.slice(start, this.#end);
      this.#isForm = form.includes('=') && (form.includes('&') || /%[0-9a-f]{2}/i.test(form));
      this.#fieldEnd = start;
    }
    if (!this.#isForm) return false;
    if (at >= this.#fieldEnd) {
      this.#fieldStart = skipBackWhile(text, at, this.#fieldEnd, isInField);
      this.#fieldEnd = skipWhile(text, at, this.#end, isInField);
      this.#blanks =
        text[this.#fieldStart - 1] === '=' && hasBlanks(text.slice(this.#fieldStart, this.#fieldEnd));
    }
    return this.#blanks && at > this.#fieldStart;
  }
}
