/** A span of a text as its interpreter would read it, with a mapping back to the text. */
export interface Window {
  /**
   * The text with percent-encoding, escapes of JSON and JavaScript, and character references of letters and marks
   * resolved.
   */
  readonly plain: string;
  /** Maps an offset in `plain` to the text. */
  readonly offsetOf: (at: number) => number;
  /** Maps an offset in the text to `plain`. */
  readonly atOf: (offset: number) => number;
  /** Number of code units of the text that were encoded. */
  readonly decoded: number;
}

const NAMED: Readonly<Record<string, string>> = {
  colon: ':',
  lpar: '(',
  rpar: ')',
  period: '.',
  tab: '\t',
  newline: '\n',
  quot: '"',
  apos: "'",
  sol: '/',
  grave: '`',
};
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '/': '/', n: '\n', t: '\t', r: '\r' };

const PERCENT = /%(?:25){0,2}([0-9a-f]{2})/iy;
const PERCENT_U = /%u00([0-9a-f]{2})/iy;
const BACKSLASH = /\\(?:x([0-9a-f]{2})|u00([0-9a-f]{2})|u\{0{0,4}([0-9a-f]{2})\}|(["'/ntr]))/iy;
const REFERENCE = /&(?:#x0{0,7}([0-9a-f]{2,3})|#0{0,7}(\d{2,3})|([a-z]{3,7}));?/iy;
const FAR_FROM_ENCODED = /[%&\\]/;

const unitOf = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** Reads one encoded character at `at`; null if there is none. */
function readAt(text: string, at: number): { readonly value: string; readonly length: number } | null {
  const first = text[at];
  if (first === '%') {
    for (const pattern of [PERCENT, PERCENT_U]) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match !== null) return { value: unitOf(match[1]!), length: match[0].length };
    }
  } else if (first === '\\') {
    BACKSLASH.lastIndex = at;
    const match = BACKSLASH.exec(text);
    if (match === null) return null;
    const hex = match[1] ?? match[2] ?? match[3];
    return {
      value: hex === undefined ? ESCAPES[match[4]!.toLowerCase()]! : unitOf(hex),
      length: match[0].length,
    };
  } else if (first === '&') {
    REFERENCE.lastIndex = at;
    const match = REFERENCE.exec(text);
    if (match === null) return null;
    const [whole, hex, decimal, name] = match;
    const value =
      name === undefined
        ? String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
        : NAMED[name.toLowerCase()];
    // "&lt;" and its numeric forms display the sign without its effect.
    return value === undefined || value === '<' || value === '>' ? null : { value, length: whole.length };
  }
  return null;
}

/** The span of `text` from `from` up to `until`. */
export function windowOf(text: string, from: number, until: number): Window {
  const start = Math.max(0, from);
  const end = Math.min(text.length, until);
  const raw = text.slice(start, end);
  if (!FAR_FROM_ENCODED.test(raw))
    return { plain: raw, offsetOf: (at) => start + at, atOf: (offset) => offset - start, decoded: 0 };
  const offsets: number[] = [];
  let plain = '';
  let decoded = 0;
  for (let at = start; at < end; ) {
    const code = readAt(text, at);
    offsets.push(at);
    if (code === null) {
      plain += text[at];
      at++;
    } else {
      plain += code.value;
      if (code.length > 2) decoded += code.length;
      at += code.length;
    }
  }
  return {
    plain,
    offsetOf: (at) => offsets[at] ?? Math.min(end, text.length),
    atOf: (offset) =>
      Math.max(
        0,
        offsets.findLastIndex((one) => one <= offset),
      ),
    decoded,
  };
}
