import type { EntityType } from '../../../schemas/vocabulary.ts';
import { isAsciiAlphanumeric, isAsciiLetter, isSpace, isTokenUnit, skipWhile } from '../characters.ts';
import type { TermDetector } from '../detector.ts';

/** Words in the name of a setting or in a sentence, and what the value behind them is. */
const NAMES: readonly (readonly [string, EntityType])[] = [
  ['password', 'PASSWORD'],
  ['passwd', 'PASSWORD'],
  ['passphrase', 'PASSWORD'],
  ['passcode', 'PASSWORD'],
  ['pwd', 'PASSWORD'],
  ['passwort', 'PASSWORD'],
  ['secret', 'API_KEY'],
  ['api_key', 'API_KEY'],
  ['apikey', 'API_KEY'],
  ['api-key', 'API_KEY'],
  ['api key', 'API_KEY'],
  ['access_key', 'API_KEY'],
  ['private_key', 'API_KEY'],
  ['credential', 'API_KEY'],
  ['access_token', 'SESSION_TOKEN'],
  ['accesstoken', 'SESSION_TOKEN'],
  ['auth_token', 'SESSION_TOKEN'],
  ['authtoken', 'SESSION_TOKEN'],
  ['refresh_token', 'SESSION_TOKEN'],
  ['session_token', 'SESSION_TOKEN'],
  ['sessionid', 'SESSION_TOKEN'],
  ['session_id', 'SESSION_TOKEN'],
  ['token', 'API_KEY'],
  ['://', 'PASSWORD'],
];
const IN_URL = NAMES.length - 1;

const MAX_VALUE = 256;
const MIN_VALUE = 6;
const CLOSING = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
]);

interface Place {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** Between name and value: the rest of the name, a quote, then `=`, `:`, `:=`, `=>`, "is" or "for the portal is". */
const ASSIGNMENT =
  /([\w-]{0,24})["'`\])]{0,2}(?:\s{0,3}(?::=|=>|={1,3}|:(?!:))|(?:\s(?:for|of|to|on)(?:\s[\w.@'-]{1,20}){1,4}?)?\s(?:is|was)(?=[:\s]):?)\s{0,3}/iy;

/** Names that speak of a password or a token without holding one: passwordLength, token_url, secretName. */
const NAME_OF_SOMETHING_ELSE =
  /(?:hash|digest|length|count|limit|ur[il]|path|file|name|field|type|hint|policy|expir\w{0,6}|ttl|id|min|max|age)$/i;

function valueAt(text: string, start: number): Place {
  const closing = CLOSING.get(text[start] ?? '');
  const limit = start + MAX_VALUE;
  if (closing !== undefined) {
    const stop = closing.charCodeAt(0);
    const end = skipWhile(text, start + 1, limit, (unit) => unit !== stop && unit !== 10);
    return { start: start + 1, end, quoted: text[end] === closing };
  }
  let end = skipWhile(
    text,
    start,
    limit,
    (unit) => !isSpace(unit) && !'"\'`<>;,()|'.includes(String.fromCharCode(unit)),
  );
  while (end > start && '.:]}'.includes(text[end - 1]!)) end--;
  return { start, end, quoted: false };
}

/** What stands where a value will be filled in; a password may begin with the same letters ("Trueblue1!"). */
const PLACEHOLDER =
  /^(?:\$[A-Z_{(]|[<{[]|%[(\w]|\*{3}|\.{3}|x{3,}\W*$|(?:your|my|the|insert|enter|replace|change)[_\s-]?(?:me|your|own|api|secret|password|token|key|here|with)|(?:your|my|the|insert|enter)[_-]|(?:todo|null|none|undefined|true|false|redacted)(?!\w))/i;
const CODE = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+[[(]?|\w\[/;

/** Letters and digits or marks together; long values of letters only when their case jumps about. */
function looksRandomEnough(value: string, entity: EntityType): boolean {
  const hasLetter = /\p{L}/u.test(value);
  if (/\d/.test(value)) return hasLetter || (entity === 'PASSWORD' && value.length >= 8);
  if (/[!@#$%^&*+?~=]/.test(value)) return hasLetter;
  return value.length >= 16 && (value.match(/[a-z][A-Z]/g)?.length ?? 0) >= 3;
}

function isSecretValue(text: string, { start, end, quoted }: Place, entity: EntityType): boolean {
  const value = text.slice(start, end);
  if (value.length < MIN_VALUE || PLACEHOLDER.test(value)) return false;
  if (/\s/.test(value) && (entity !== 'PASSWORD' || !quoted)) return false;
  if (!quoted && (text[end] === '(' || CODE.test(value))) return false;
  if (/^(?:https?:|\/|\.\/|~\/)/.test(value)) return false;
  // A key or token of a few characters is the name of something; passwords are that short.
  return (entity === 'PASSWORD' || value.length >= 12) && looksRandomEnough(value, entity);
}

/** "token" is a word of its own or the end of a name, not the middle of "tokenizer"; "maxTokens = 4096" is a count. */
function beginsAName(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  const startsUpper = text.charCodeAt(start) <= 90;
  return !isAsciiLetter(before) || startsUpper;
}

function assigned(text: string, nameEnd: number, entity: EntityType): Place | null {
  ASSIGNMENT.lastIndex = nameEnd;
  const match = ASSIGNMENT.exec(text);
  if (match === null || NAME_OF_SOMETHING_ELSE.test(match[1]!)) return null;
  const place = valueAt(text, nameEnd + match[0].length);
  return isSecretValue(text, place, entity) ? place : null;
}

/** The password in `scheme://user:password@host`. */
function inUrl(text: string, afterScheme: number): Place | null {
  const isUserUnit = (unit: number): boolean => isTokenUnit(unit) || unit === 46 || unit === 37;
  const userEnd = skipWhile(text, afterScheme, afterScheme + 64, isUserUnit);
  if (text[userEnd] !== ':') return null;
  const start = userEnd + 1;
  const end = skipWhile(
    text,
    start,
    start + 128,
    (unit) => !isSpace(unit) && !'@/"\'<>'.includes(String.fromCharCode(unit)),
  );
  const value = text.slice(start, end);
  if (text[end] !== '@' || !isAsciiAlphanumeric(text.charCodeAt(end + 1)) || value.length < 3) return null;
  return /^[$<{%*]|^(?:password|pass|pwd|secret|xxx+)$/i.test(value) ? null : { start, end, quoted: false };
}

/** Passwords, keys and tokens by the name in front of them, in settings, code and sentences, and in URLs. */
export const credentials: TermDetector = {
  name: 'credentials',
  version: 1,
  terms: NAMES.map(([name]) => name),
  visitor: (text, push) => {
    let done = 0;
    return (term, start, end) => {
      if (start < done) return;
      const [, entity] = NAMES[term]!;
      const place =
        term === IN_URL ? inUrl(text, end) : beginsAName(text, start) ? assigned(text, end, entity) : null;
      if (place === null) return;
      const confidence = place.quoted ? 0.88 : 0.8;
      push({ code: 'SECRET_LEAK', entity, start: place.start, end: place.end, confidence });
      done = place.end;
    };
  },
};
