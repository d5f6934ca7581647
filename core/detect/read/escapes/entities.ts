import { isAsciiAlphanumeric, isDigit, skipWhile } from '../characters.ts';
import entities from '../lists/entities.json' with { type: 'json' };
import { type Escape, formOfPoint, hexDigit } from './escape.ts';

/** Named characters of HTML that occur in or next to values. Letters with accents are composed. */
const NAMED = new Map(Object.entries(entities.named));

/** `eacute`, `Ccedil`: a letter followed by the name of its accent. */
const ACCENTS = new Map(Object.entries(entities.accents));

function named(name: string): string | null {
  const form = NAMED.get(name);
  if (form !== undefined) return form;
  const accent = ACCENTS.get(name.slice(1));
  const composed = accent === undefined ? '' : `${name[0]}${accent}`.normalize('NFC');
  return composed.length === 1 ? composed : null;
}

const AMP = 'amp;';
const AMP_NUMBER = '#38;';
/** `&amp;#64;` is `&#64;`, escaped again. */
const MAX_LEVELS = 3;
/** `&NonBreakingSpace;` is the longest name. */
const MAX_NAME = 16;
const MAX_DIGITS = 7;

interface Numbered {
  readonly point: number;
  readonly end: number;
}

/** The number after `&#`; its semicolon may be missing. */
function numberAt(text: string, from: number): Numbered | null {
  const isHex = (text.charCodeAt(from) | 32) === 120;
  const start = isHex ? from + 1 : from;
  const end = skipWhile(text, start, start + MAX_DIGITS, isHex ? (unit) => hexDigit(unit) !== -1 : isDigit);
  if (end === start) return null;
  const point = Number.parseInt(text.slice(start, end), isHex ? 16 : 10);
  return { point, end: text[end] === ';' ? end + 1 : end };
}

/** The HTML or XML character reference at `at`, which may be escaped up to two more times. */
export function entityAt(text: string, at: number): Escape | null {
  let from = at + 1;
  let amps = 0;
  for (; amps < MAX_LEVELS; amps++) {
    if (text.startsWith(AMP, from)) from += AMP.length;
    else if (text.startsWith(AMP_NUMBER, from)) from += AMP_NUMBER.length;
    else break;
  }
  if (text[from] === '#') {
    const number = numberAt(text, from + 1);
    const form = number === null ? null : formOfPoint(number.point);
    if (number !== null && form !== null) return { width: number.end - at, form };
  } else {
    const end = skipWhile(text, from, from + MAX_NAME, isAsciiAlphanumeric);
    const form = end > from && text[end] === ';' ? named(text.slice(from, end)) : null;
    if (form !== null) return { width: end + 1 - at, form };
  }
  return amps === 0 ? null : { width: from - at, form: '&' };
}
