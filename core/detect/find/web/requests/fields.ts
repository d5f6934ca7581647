import { decodedValue } from './decode.ts';

/** The part of a request that contains a value. */
type FieldKind = 'PARAMETER' | 'NAME' | 'HEADER' | 'JSON' | 'XML' | 'PATH';

/** A value chosen by the sender of a request. */
export interface RequestField {
  readonly kind: FieldKind;
  /** Name of the parameter, header or key. */
  readonly name: string;
  /** Decoded as the program behind the server receives it. */
  readonly value: string;
  /** Start of the encoded value in the text. */
  readonly start: number;
  readonly end: number;
}

type Add = (kind: FieldKind, name: string, start: number, end: number, plusIsBlank?: boolean) => void;

const REQUEST_LINE =
  /(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|TRACE|PROPFIND) (?=[/*]|https?:)([^\n]{1,16000}?)(?: HTTP\/[\d.]{1,3}|(?=\n|$))/iy;
const METHOD = /(?<![\w-])(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) \/[^\s]{0,8000} HTTP\/\d/g;
const HEADER_LINE = /([A-Za-z][\w-]{1,40}):[ \t]{0,4}(?=\S)/y;
const HEADER_NAMES =
  /^(?:x-[\w-]{2,36}|cookie|user-agent|referer|origin|host|accept(?:-[a-z]{3,10})?|authorization|forwarded|range|true-client-ip|client-ip|if-[a-z-]{4,20}|test|sec-[a-z-]{3,20}|transfer-encoding)$/i;
const FORM = /[\w$][\w.[\]$:-]{0,63}=/y;
/** Maximum lines after a form: text sent with it, or the lines of its last value. */
const MAX_LINES_AFTER = 2;
/** Words of a program that starts with an assignment. */
const PROGRAM =
  /;\s{0,4}(?:while|for|if|do|then|until)\s[^\n]{0,400}\b(?:done|fi)\b|^\w{1,40}=[^;\n]{0,200};\s{0,4}(?:export|local|readonly)\s|^[A-Z_]{2,40}=["']?\$\(/;
const BOUNDARY = /--[\w'()+,./:=?-]{1,70}\r?\ncontent-disposition:\s?form-data/iy;
const PATH_LINE = /(?:\/[^\s"'<>]{0,2000}|[\w./-]{1,120})(?=\n)/y;
const PATH_ALONE = /\/{1,2}[\w~%-][^\n]{0,4000}\?[^\n]{1,4000}/y;

/** The next separating ampersand, which precedes a name and an equals sign; the end of the form if there is none. */
function nextPairIn(form: string, from: number): number {
  for (let at = form.indexOf('&', from); at !== -1; at = form.indexOf('&', at + 1)) {
    FORM.lastIndex = at + 1;
    if (FORM.test(form)) return at;
  }
  return form.length;
}

/** Reads a text that is one request, or part of one, from start to end. */
class RequestReader {
  readonly #text: string;
  readonly #add: Add;

  constructor(text: string, add: Add) {
    this.#text = text;
    this.#add = add;
  }

  /** False if the text is not a request. */
  read(): boolean {
    const text = this.#text;
    const first = text.search(/\S/);
    if (first === -1) return false;
    const line = this.#at(REQUEST_LINE, first);
    if (line !== null) {
      const target = line[1]!;
      const start = first + line[0].indexOf(target);
      this.#target(start, start + target.length);
      const next = text.indexOf('\n', first + line[0].length);
      if (next !== -1) this.#headersAndBody(next + 1);
      return true;
    }
    if (text[first] === '{' || text[first] === '[') return this.#json(first, text.length);
    if (text.startsWith('<?xml', first) && text.includes('>', first + 5))
      return this.#xml(first, text.length);
    if (this.#at(PATH_ALONE, first) !== null && !text.includes('\n')) {
      this.#target(first, text.length);
      return true;
    }
    const path = this.#at(PATH_LINE, first);
    if (path !== null) return this.#afterPath(first, first + path[0].length);
    return this.#headers(first) || this.#formAlone(first);
  }

  #at(pattern: RegExp, offset: number): RegExpExecArray | null {
    pattern.lastIndex = offset;
    return pattern.exec(this.#text);
  }

  #lineEnd(from: number): number {
    const end = this.#text.indexOf('\n', from);
    return end === -1 ? this.#text.length : end;
  }

  #target(start: number, end: number): void {
    const text = this.#text;
    const question = text.indexOf('?', start);
    const pathEnd = question === -1 || question >= end ? end : question;
    this.#add('PATH', '', start, pathEnd);
    if (pathEnd < end) this.form(pathEnd + 1, end);
  }

  /** Reads name=value&name=value; a part without a name is a value, too. */
  form(start: number, end: number): void {
    // Copied, so that searches without a match stop at the end of the form.
    const form = this.#text.slice(start, end);
    for (let at = 0; at < form.length; ) {
      const next = nextPairIn(form, at);
      const equals = form.indexOf('=', at);
      const isNamed = equals !== -1 && equals < next;
      const name = isNamed ? form.slice(at, equals) : '';
      if (isNamed && name.length > 2) this.#add('NAME', '', start + at, start + equals, true);
      this.#add('PARAMETER', name, start + (isNamed ? equals + 1 : at), start + next, true);
      at = next + 1;
    }
  }

  #headersAndBody(from: number): void {
    let at = from;
    while (at < this.#text.length) {
      const end = this.#lineEnd(at);
      if (end - at <= 1 && this.#text.slice(at, end).trim() === '') {
        this.#body(end + 1);
        return;
      }
      const header = this.#at(HEADER_LINE, at);
      if (header === null) {
        this.#body(at);
        return;
      }
      this.#header(header[1]!, at + header[0].length, end);
      at = end + 1;
    }
  }

  #header(name: string, start: number, end: number): void {
    if (!/^cookie$/i.test(name)) {
      this.#add('HEADER', name, start, end);
      return;
    }
    const next = /;\s?(?=[\w.-]{1,40}=)/g;
    const line = this.#text.slice(start, end);
    for (let at = 0; at < line.length; ) {
      next.lastIndex = at;
      const stop = next.exec(line)?.index ?? line.length;
      const equals = line.indexOf('=', at);
      const isNamed = equals !== -1 && equals < stop;
      if (isNamed && equals - at > 2) this.#add('NAME', '', start + at, start + equals, true);
      this.#add('PARAMETER', 'cookie', start + (isNamed ? equals + 1 : at), start + stop, true);
      at = stop + 1;
    }
  }

  #body(from: number): void {
    const text = this.#text;
    if (from >= text.length) return;
    const sign = text[from];
    if ((sign === '{' || sign === '[') && this.#json(from, text.length)) return;
    if (sign === '<') {
      this.#xml(from, text.length);
      return;
    }
    if (this.#at(BOUNDARY, from) !== null) this.#multipart(from);
    else this.form(from, text.length);
  }

  #multipart(from: number): void {
    for (let at = from; at < this.#text.length; ) {
      const end = this.#lineEnd(at);
      const isFrame = this.#text.startsWith('--', at);
      if (!isFrame && end > at) this.#add('PARAMETER', 'multipart', at, end);
      at = end + 1;
    }
  }

  #afterPath(start: number, end: number): boolean {
    const text = this.#text;
    const next = end + 1;
    const isJson = text[next] === '{' || text[next] === '[';
    const isForm = this.#at(FORM, next) !== null && this.#isOneForm(next);
    const header = this.#at(HEADER_LINE, next);
    const isHeader = header !== null && HEADER_NAMES.test(header[1]!);
    const isPart = this.#at(BOUNDARY, start) !== null;
    if (!isJson && !isForm && !isHeader && !isPart && text[next] !== '<') return false;
    if (!isPart) this.#target(start, end);
    if (isHeader) this.#headersAndBody(next);
    else this.#body(isPart ? start : next);
    return true;
  }

  /** A form has one line; several lines of assignments are a settings file or a program. */
  #isOneForm(from: number): boolean {
    const end = this.#lineEnd(from);
    const rest = this.#text.slice(end, end + 600);
    if (rest.split('\n').filter((line) => line.trim() !== '').length > MAX_LINES_AFTER) return false;
    return !/\n\s{0,8}(?:export )?[\w.$-]{1,40}\s?=|[{;]\s{0,4}\n|\n\s{0,4}[#}]/.test(rest);
  }

  #headers(first: number): boolean {
    const header = this.#at(HEADER_LINE, first);
    if (header === null || !HEADER_NAMES.test(header[1]!)) return false;
    this.#headersAndBody(first);
    return true;
  }

  #formAlone(first: number): boolean {
    if (this.#at(FORM, first) === null || !this.#isOneForm(first)) return false;
    if (PROGRAM.test(this.#text.slice(first, first + 4_000))) return false;
    const cookie = this.#text.indexOf('\nCookie: ', first);
    this.form(first, cookie === -1 ? this.#text.length : cookie);
    if (cookie !== -1) this.#headersAndBody(cookie + 1);
    return true;
  }

  /** Reads the strings of a JSON text; false if it does not start like one. */
  #json(from: number, until: number): boolean {
    if (!/^[{[]\s{0,40}(?:["{[\]}\d-]|true|false|null)/.test(this.#text.slice(from, from + 48))) return false;
    let name = '';
    for (let at = this.#text.indexOf('"', from); at !== -1 && at < until; ) {
      const close = this.#closingQuote(at + 1, until);
      const colon = /\s{0,4}:/y;
      colon.lastIndex = close + 1;
      if (colon.test(this.#text)) {
        name = this.#text.slice(at + 1, Math.min(close, at + 65));
        if (close - at > 3) this.#add('NAME', '', at + 1, close);
      } else this.#add('JSON', name, at + 1, close);
      at = this.#text.indexOf('"', close + 1);
    }
    return true;
  }

  #closingQuote(from: number, until: number): number {
    for (let at = from; at < until; at++) {
      if (this.#text[at] === '\\') at++;
      else if (this.#text[at] === '"') return at;
    }
    return until;
  }

  #xml(from: number, until: number): boolean {
    const part = /"([^"<>]{1,400})"|'([^'<>]{1,400})'|>([^<>]{1,2000})</g;
    part.lastIndex = from;
    for (
      let match = part.exec(this.#text);
      match !== null && match.index < until;
      match = part.exec(this.#text)
    ) {
      const value = match[1] ?? match[2] ?? match[3]!;
      if (value.trim() === '') continue;
      const start = match.index + match[0].indexOf(value);
      this.#add('XML', '', start, start + value.length);
      if (match[3] !== undefined) part.lastIndex = match.index + match[0].length - 1;
    }
    return true;
  }
}

/** Longer texts are documents and programs; requests inside them are still read line by line. */
const MAX_REQUEST = 16_384;
const MAX_LINES_READ = 4_000;

/** The values of the request that the text consists of, or of the request lines inside it. */
export function fieldsOf(text: string): {
  readonly fields: readonly RequestField[];
  readonly isWhole: boolean;
} {
  const fields: RequestField[] = [];
  const add: Add = (kind, name, start, end, plusIsBlank = false) => {
    if (end <= start) return;
    fields.push({ kind, name, value: decodedValue(text.slice(start, end), plusIsBlank), start, end });
  };
  const reader = new RequestReader(text, add);
  if (text.length <= MAX_REQUEST && reader.read()) return { fields, isWhole: true };
  fields.length = 0;
  let lines = 0;
  for (const match of text.matchAll(METHOD)) {
    if (++lines > MAX_LINES_READ) break;
    const question = match[0].indexOf('?');
    if (question !== -1) reader.form(match.index + question + 1, match.index + match[0].lastIndexOf(' '));
  }
  return { fields, isWhole: false };
}
