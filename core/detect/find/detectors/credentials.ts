import type { EntityType } from '#schemas/vocabulary.ts';
import {
  isAsciiAlphanumeric,
  isAsciiLetter,
  isSpace,
  isTokenUnit,
  skipWhile,
} from '../../read/characters.ts';
import type { TermDetector } from '../detector.ts';
import { SECRET_NAMES } from '../secrets/names.ts';
import { valuePassedOn } from '../secrets/passed-on.ts';
import { isPlaceholder } from '../secrets/placeholder.ts';
import { statsOf } from '../secrets/randomness.ts';
import { isOnSettingBelow } from '../secrets/settings.ts';
import { isSecretValue, isWordAsPassword, type ValueSpan, valueAt } from '../secrets/value.ts';

const IN_URL = SECRET_NAMES.length;

/**
 * Text between name and value: the rest of the name, quotes (possibly escaped), then `=`, `:`, `:=`, `=>`, the end of
 * an XML tag, or "is", "for the portal is", "to" in a sentence. Settings aligned in columns may have many blanks in
 * between.
 */
const ASSIGNMENT =
  /([\w-]{0,24}|\u00f1as?)(?:["'`\])*_\\]{0,4}(?:\s{0,40}(?::=|=>|!={1,2}|={1,3}|:\s?[A-Za-z][A-Za-z<>?&.]{1,24}\s{1,2}=\s|:(?!:)|\||\s-(?=\s))|[\s,]{1,40}["']?(?:value|default)["']?\s?[=:]|["']?\s?\{\s{1,8}default\s?=)|(?:\s(?:for|of|to|on)(?:\s[\w.@'-]{1,24}){1,5}?)?["'`]?\s(?:is|was|ist|lautet|est|es|will be|should be|set to|changed to|to)(?=[:\s]):?|(?<=\w)>(?=[^\s<>]{1,64}<\/))(?:[ \t]{4,40}|[\s*_]{0,3})/iy;
/** `--password value` and `PASSWORD 'value'` have nothing in between. */
const SPACED = /[\w-]{0,12}\s{1,3}(?=\S)/y;

/** Names related to a password or token whose value is not one: passwordLength, token_url, secretName. */
const NAME_OF_SOMETHING_ELSE =
  /(?:hash|hashed|digest|length|count|limit|ur[il]|path|file|name|field|type|hint|policy|expir\w{0,6}|ttl|(?<!sess?ion|session_|session )id|min|max|age|label|placeholder|input|regex|pattern|rules?|strength|size|algorithm|encoder|manager|provider|version|arn|ref|words?|error|message|status|env|env_?var|variable)$/i;
/** Parts of the name before the term that change its meaning: "encrypted_password", "next_page_token", "bypass". */
const OTHER_BEFORE =
  /(?:encrypted|hashed|enc|salted|page|sync|continuation|public|publishable|max|min|num|total|no|without|wrong|invalid|forgot|reset|cache|partition|csrf-)[\s_-]?$/i;
/** A term continued in lower case is another word ("passenger", "secretary", "tokenizer"), except for these endings. */
const CONTINUES = /^[a-z]/;
const ENDINGS = /^(?:s|es|key|keys|id|value|text|str|string|access)(?![a-z])/;
const isAnotherWord = (restOfName: string): boolean =>
  CONTINUES.test(restOfName) && !ENDINGS.test(restOfName);

/** `{{ $password | b64enc }}`: a template filter. */
function isFilter(text: string, nameEnd: number, between: string): boolean {
  if (!between.includes('|')) return false;
  const before = text.slice(Math.max(0, nameEnd - MAX_EXPRESSION), nameEnd);
  return before.lastIndexOf('{{') > before.lastIndexOf('}}');
}
const MAX_EXPRESSION = 200;
const LONG_NAME = 8;
const OTHER_BEFORE_REACH = 16;

/**
 * Whether a term is a separate word or the end of a name: "token" does not match in "tokenizer"; "maxTokens = 4096" is
 * a count.
 */
function startsName(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  // "PGPASSWORD", "dbpassword": no other word ends with a term this long.
  if (end - start >= LONG_NAME)
    return !OTHER_BEFORE.test(text.slice(Math.max(0, start - OTHER_BEFORE_REACH), start));
  const startsUpper = text.charCodeAt(start) <= 90;
  if (isAsciiLetter(before) && !startsUpper) return false;
  // "PASS" inside "BYPASS": a capital starts a name only after a lower-case letter.
  if (isAsciiLetter(before) && before <= 90) return false;
  return !OTHER_BEFORE.test(text.slice(Math.max(0, start - OTHER_BEFORE_REACH), start));
}

/** "--- PASS: TestName", as test runners print. */
const isVerdict = (text: string, start: number, end: number): boolean =>
  text.startsWith(': Test', end) || (text.startsWith('---', start - 4) && text[end] === ':');

interface Assigned {
  readonly span: ValueSpan;
  readonly confidence: number;
}

function passedOn(text: string, start: number, nameEnd: number, entity: EntityType): Assigned | null {
  const span = valuePassedOn(text, start, nameEnd);
  if (span === null) return spacedOut(text, start, nameEnd, entity);
  return isSecretValue(text, span, entity) ? { span, confidence: 0.8 } : null;
}

/** Lower-case letters, digits and marks: not a word, number, version or address. */
const looksMixed = (value: string): boolean =>
  value.length >= 8 &&
  /\d/.test(value) &&
  /\p{Ll}/u.test(value) &&
  /[!@#$%^&*?+~]/.test(value) &&
  !/^[$#@]|:\/\/|&#|@[\w-]{1,64}\.|^\d{1,9}[%$]/.test(value);

/** Mixed, or with too many changes between letters of both cases and digits to be read as a word. */
function looksRandom(text: string, { start, end }: ValueSpan, value: string): boolean {
  if (looksMixed(value)) return true;
  if (value.length < 8 || !/^[A-Za-z\d]+$/.test(value)) return false;
  const { bits, digits, flips } = statsOf(text, start, end);
  return digits >= 1 && flips >= 3 && bits >= 8;
}

function spacedOut(text: string, start: number, nameEnd: number, entity: EntityType): Assigned | null {
  SPACED.lastIndex = nameEnd;
  const gap = SPACED.exec(text);
  if (gap === null || isAnotherWord(gap[0])) return null;
  const span = valueAt(text, nameEnd + gap[0].length);
  if (isOnSettingBelow(text, nameEnd, span)) return null;
  const isFlag = /(?:^|\s)--?[\w-]{0,16}$/.test(text.slice(Math.max(0, start - 20), start));
  // In a sentence without a verb, only quotes, or a value that is not a word, identify the value.
  const value = text.slice(span.start, span.end);
  // "pass" is also a verb.
  const isPlausible = span.quoted ? !/\s/.test(value) : nameEnd - start > 4 && looksRandom(text, span, value);
  if (!isFlag && (entity !== 'PASSWORD' || !isPlausible)) return null;
  return isSecretValue(text, span, entity) ? { span, confidence: 0.8 } : null;
}

function assigned(text: string, start: number, nameEnd: number, entity: EntityType): Assigned | null {
  ASSIGNMENT.lastIndex = nameEnd;
  const match = ASSIGNMENT.exec(text);
  if (match === null) return passedOn(text, start, nameEnd, entity);
  const [whole, restOfName = ''] = match;
  if (NAME_OF_SOMETHING_ELSE.test(restOfName)) return null;
  if (isAnotherWord(restOfName) || isFilter(text, nameEnd, whole)) return null;
  const span = valueAt(text, nameEnd + whole.length);
  if (isOnSettingBelow(text, nameEnd, span)) return null;
  if (isSecretValue(text, span, entity)) return { span, confidence: span.quoted ? 0.88 : 0.8 };
  if (entity !== 'PASSWORD' || !announcesPassword(text, start, whole, span)) return null;
  return isWordAsPassword(text, span) ? { span, confidence: 0.65 } : null;
}

/** "the password to open it" describes its purpose, "set the password to hunter2" its value. */
const CHANGES =
  /(?:^|[^\p{L}])(?:set|change|changed|reset|update|updated|switch|switched|make)\s[^.\n]{0,40}$/iu;

const OWNER =
  /(?:^|[^\p{L}])(?:my|our|his|her|their|the|your|its|mein|unser|mon|mi|il|el|la|le)\s(?:[\p{L}\d'’.-]{1,16}\s){0,3}$/iu;
const LABEL_BEFORE = /(?:^|[\n,;|(>*]|\bthe|\band|\s[-–/])[\s*_"'-]{0,6}(?:[A-Za-z]{2,12}[\s_]){0,2}$/;

/**
 * Whether an ordinary word after the name may be a password: in quotes in a setting or a sentence, after "my password
 * is", or as the value of a label at the start of a line or list item.
 */
function announcesPassword(text: string, start: number, between: string, span: ValueSpan): boolean {
  const before = text.slice(Math.max(0, start - 48), start);
  const isSentence = /\s(?:is|was|ist|lautet|est|es|to)\b/i.test(between);
  if (/^["'`]?\sto\b/i.test(between) && !CHANGES.test(before)) return false;
  if (isSentence) return OWNER.test(before);
  // Several quoted words after a colon are a message to people.
  if (/\s/.test(text.slice(span.start, span.end))) return false;
  if (span.quoted) return !/[=!<>]=/.test(between) && text[span.end + 1] !== ')';
  if (!between.includes(':') || between.includes('=')) return false;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return LABEL_BEFORE.test(before) && !/[{(=]/.test(line) && text[span.end] !== ',';
}

/** The password in `scheme://user:password@host`, or a token that replaces user and password. */
function inUrl(text: string, afterScheme: number): { span: ValueSpan; entity: EntityType } | null {
  const isUserUnit = (unit: number): boolean =>
    isTokenUnit(unit) || unit === 46 || unit === 37 || unit === 43;
  const userEnd = skipWhile(text, afterScheme, afterScheme + 64, isUserUnit);
  if (text[userEnd] === '@' && userEnd - afterScheme >= 20) {
    const span = { start: afterScheme, end: userEnd, quoted: false };
    return isSecretValue(text, span, 'API_KEY') ? { span, entity: 'API_KEY' } : null;
  }
  // The user may be an email address.
  const nameEnd = skipWhile(text, userEnd, userEnd + 64, (unit) => isUserUnit(unit) || unit === 64);
  if (text[nameEnd] !== ':') return null;
  const start = nameEnd + 1;
  const end = skipWhile(
    text,
    start,
    start + 128,
    (unit) => !isSpace(unit) && !'@/"\'<>'.includes(String.fromCharCode(unit)),
  );
  const value = text.slice(start, end);
  if (text[end] !== '@' || !isAsciiAlphanumeric(text.charCodeAt(end + 1)) || value.length < 2) return null;
  if (/^[$<{%*]/.test(value) || isPlaceholder(value)) return null;
  return { span: { start, end, quoted: false }, entity: 'PASSWORD' };
}

/** Passwords, keys and tokens after their name in settings, code and sentences, and in URLs. */
export const credentials: TermDetector = {
  name: 'credentials',
  version: 5,
  terms: [...SECRET_NAMES.map(([name]) => name), '://'],
  visitor: (text, push) => {
    let done = 0;
    return (term, start, end) => {
      if (start < done) return;
      if (term === IN_URL) {
        const found = inUrl(text, end);
        if (found === null) return;
        const { span, entity } = found;
        push({ code: 'SECRET_LEAK', entity, start: span.start, end: span.end, confidence: 0.85 });
        done = span.end;
        return;
      }
      if (!startsName(text, start, end) || isVerdict(text, start, end)) return;
      const [, entity] = SECRET_NAMES[term]!;
      const found = assigned(text, start, end, entity);
      if (found === null) return;
      const { span, confidence } = found;
      push({ code: 'SECRET_LEAK', entity, start: span.start, end: span.end, confidence });
      done = span.end;
    };
  },
};
