import type { EntityType } from '#schemas/vocabulary.ts';
import { isAsciiAlphanumeric, isSpace, skipWhile } from '../../read/characters.ts';
import words from '../lists/no-passwords.json' with { type: 'json' };
import { isMadeUpKey, isPlaceholder, isPlaceholderKey } from './placeholder.ts';
import { statsOf } from './randomness.ts';

/** The span of a value, without its quotes. */
export interface ValueSpan {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const MAX_VALUE = 256;
const MIN_PASSWORD = 6;
const MIN_PIN = 4;
/** A shorter key or token is the name of something; passwords may be that short. */
const MIN_KEY = 12;
const CLOSING = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
]);

/** Start of the next field in a URL or a form. */
const NEXT_FIELD = /&(?:amp;)?[\w.[\]-]{1,40}=/;
/** Markdown's `**` before a value on the same line. */
const BOLD = /(?:^|[\s(|])\*\*[^*\n]{0,80}$/;
const BOLD_REACH = 84;

/** End of an unquoted value, excluding a following form field or Markdown marks before `end`. */
function endOfUnquoted(text: string, start: number, end: number): number {
  const value = text.slice(start, end);
  const field = value.search(NEXT_FIELD);
  if (field > 0) return start + field;
  const isBold = value.endsWith('**') && BOLD.test(text.slice(Math.max(0, start - BOLD_REACH), start));
  return isBold ? end - 2 : end;
}

const isOfUnquoted = (unit: number): boolean =>
  !isSpace(unit) && !'"\'`<>;,()|\\'.includes(String.fromCharCode(unit));

/** Whether the quote at `at` was escaped and belongs to the value: no letter or digit follows a closing quote. */
const isInside = (text: string, at: number): boolean =>
  text[at] === '"' && isAsciiAlphanumeric(text.charCodeAt(at + 1));

/** The value that starts at `start`, up to its closing quote, or to the next blank or list separator. */
export function valueAt(text: string, start: number): ValueSpan {
  const from = text[start] === '\\' ? start + 1 : start;
  const closing = CLOSING.get(text[from] ?? '');
  const limit = start + MAX_VALUE;
  if (closing !== undefined) {
    const stop = closing.charCodeAt(0);
    let end = skipWhile(text, from + 1, limit, (unit) => unit !== stop && unit !== 10);
    while (end < limit && isInside(text, end))
      end = skipWhile(text, end + 1, limit, (unit) => unit !== stop && unit !== 10);
    const escaped = from > start && text[end - 1] === '\\';
    return { start: from + 1, end: escaped ? end - 1 : end, quoted: text[end] === closing };
  }
  let end = skipWhile(text, start, limit, isOfUnquoted);
  while (end > start && end < limit && isInside(text, end))
    end = skipWhile(text, end + 1, limit, isOfUnquoted);
  end = endOfUnquoted(text, start, end);
  while (end > start && '.:]}?'.includes(text[end - 1]!)) end--;
  // A full stop after "!" ends the sentence; the "!" usually belongs to the password.
  return { start, end, quoted: false };
}

const CODE =
  /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[[(]?$|^[A-Za-z_$][\w$.]*[[(]|\w\[|^&|^\*\w|->|^\w+\s?\+/;

/** Letters combined with digits or marks; long values of letters only if their case alternates irregularly. */
function looksLikePassword(value: string, entity: EntityType): boolean {
  const hasLetter = /\p{L}/u.test(value);
  if (/\d/.test(value)) return hasLetter || (entity === 'PASSWORD' && value.length >= MIN_PASSWORD);
  if (/[!@#$%^&*+?~=]/.test(value)) return hasLetter;
  return value.length >= 16 && (value.match(/[a-z][A-Z]/g)?.length ?? 0) >= 3;
}

/** Camel case with a digit ("sha256Hash", "input1") is an identifier; keys are less regular. */
function isIdentifier(text: string, { start, end }: ValueSpan): boolean {
  const value = text.slice(start, end);
  if (!/^[A-Za-z_$][\w$-]*$/.test(value)) return false;
  const { bits, digits } = statsOf(text, start, end);
  return digits <= 2 && bits < 6;
}

/** Whether a value after a name for a secret has the form of one. */
export function isSecretValue(text: string, span: ValueSpan, entity: EntityType): boolean {
  const { start, end, quoted } = span;
  const value = text.slice(start, end);
  const isPassword = entity === 'PASSWORD';
  if (isPassword ? isPlaceholder(value) : isPlaceholderKey(value)) return false;
  if (!isPassword && isMadeUpKey(text, start, end)) return false;
  // Several words between backquotes are code.
  if (/\s/.test(value) && (!isPassword || !quoted || text[end] === '`')) return false;
  // `PASSWORD=\`cat /run/secrets/db\`` is a shell command.
  if (/\s/.test(value) && text.startsWith('=`', start - 2)) return false;
  if (!quoted && (text[end] === '(' || CODE.test(value))) return false;
  if (/^(?:https?:|\/[a-z]|\.\/|~\/|\.\.\/)/.test(value)) return false;
  if (isPassword && /^\d+$/.test(value)) return value.length >= MIN_PIN;
  if (value.length < (isPassword ? MIN_PASSWORD : MIN_KEY)) return false;
  if (!isPassword && isIdentifier(text, span)) return false;
  return (
    looksLikePassword(value, entity) ||
    (isPassword && value.length >= 8 && statsOf(text, start, end).bits >= 10)
  );
}

/** Words after "password is" or "password:" that are not passwords: states, types, parts of speech. */
const NO_PASSWORD = new Set(words.noPassword);
const ENDS_CLAUSE =
  /[.!?]{0,2}["'”)]?(?:\s{0,3}(?:$|\n)|[,;]\s|\s(?:and|but|or|for|on|in|please|can|could|if|so|with|who|it|don't|is it|-|–|\()\b|[.!?](?:\s|$))/y;
const PLAIN_WORD = /^\p{L}[\p{L}-]{3,31}$/u;

const PASSPHRASE = /^\p{Ll}{3,12}(?:[ -]\p{Ll}{3,12}){3,7}$/u;

/** Whether this is an ordinary word after a clear cue for a password ("my password is", "password:"). */
export function isWordAsPassword(text: string, { start, end, quoted }: ValueSpan): boolean {
  const value = text.slice(start, end);
  if (quoted && PASSPHRASE.test(value)) return true;
  if (!PLAIN_WORD.test(value) || NO_PASSWORD.has(value.toLowerCase()) || isPlaceholder(value)) return false;
  // Camel case is a variable name.
  if (/\p{Ll}\p{Lu}/u.test(value)) return false;
  if (quoted) return true;
  ENDS_CLAUSE.lastIndex = end;
  return ENDS_CLAUSE.test(text);
}
