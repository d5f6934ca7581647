/**
 * Finds where a text stops being JSON, and why. Parsers quote the text in their messages. This names the position and
 * at most one character, so an answer in a client's log contains no part of a prompt. Only texts that a parser refused
 * are walked.
 */

/** Characters between two yields. */
const STRETCH = 64 * 1024;
const SPACE = /[ \t\n\r]*/y;
/** Up to the first character that no string may contain, or the string's end; bounded, so a walk can yield. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no string may have
const STRING_PART = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,4096}/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** What may come next. */
type Expected = 'value' | 'first value' | 'name' | 'first name' | ':' | ', or end' | 'nothing';

interface Fault {
  readonly at: number;
  readonly reason: string;
}

const matched = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
};

/** `line 3, column 14: a comma before "}"; remove it`, or null when nothing is found. */
export function* jsonFault(text: string): Generator<undefined, string | null> {
  const fault = yield* faultIn(text);
  if (fault === null) return null;
  const before = text.slice(0, fault.at);
  const line = before.split('\n').length;
  const column = fault.at - before.lastIndexOf('\n');
  return `line ${line}, column ${column}: ${fault.reason}`;
}

function* faultIn(text: string): Generator<undefined, Fault | null> {
  const open: string[] = [];
  let expected: Expected = 'value';
  let yielded = 0;
  for (let at = matched(SPACE, text, 0); ; at += matched(SPACE, text, at)) {
    if (at - yielded > STRETCH) {
      yielded = at;
      yield;
    }
    const first = text[at];
    if (first === undefined) return expected === 'nothing' ? null : { at, reason: atEnd(open) };
    const next = step(first, expected, open);
    if (next === null) return { at, reason: reasonOf(first, expected) };
    expected = next;
    if (first === '"') {
      const end = yield* endOfString(text, at + 1);
      if (typeof end !== 'number') return end;
      at = end;
    } else if (PUNCTUATION.includes(first)) at += 1;
    else {
      const length = matched(NUMBER, text, at) || matched(WORD, text, at);
      if (length === 0) return { at, reason: reasonOf(first, 'value') };
      at += length;
    }
  }
}

const PUNCTUATION = '{}[],:';
const afterValue = (open: readonly string[]): Expected => (open.length === 0 ? 'nothing' : ', or end');

/** What may follow a token that starts with `first`; null: the token is not allowed here. Updates `open`. */
function step(first: string, expected: Expected, open: string[]): Expected | null {
  const inside = open.at(-1);
  const isValue = expected === 'value' || expected === 'first value';
  const isClosable = expected === ', or end' || expected === 'first value' || expected === 'first name';
  switch (first) {
    case '{':
    case '[':
      if (!isValue) return null;
      open.push(first);
      return first === '{' ? 'first name' : 'first value';
    case '}':
    case ']':
      if (!isClosable || inside !== (first === '}' ? '{' : '[')) return null;
      open.pop();
      return afterValue(open);
    case ',':
      if (expected !== ', or end') return null;
      return inside === '{' ? 'name' : 'value';
    case ':':
      return expected === ':' ? 'value' : null;
    case '"':
      if (expected === 'name' || expected === 'first name') return ':';
      return isValue ? afterValue(open) : null;
    default:
      return isValue ? afterValue(open) : null;
  }
}

function* endOfString(text: string, from: number): Generator<undefined, number | Fault> {
  let yielded = from;
  for (let at = from; ; at += matched(STRING_PART, text, at)) {
    if (at - yielded > STRETCH) {
      yielded = at;
      yield;
    }
    const next = text[at];
    if (next === '"') return at + 1;
    if (next === undefined) return { at, reason: 'the body ends inside a string' };
    if (next < ' ')
      return { at, reason: 'a line break or control character inside a string; write it as \\n, \\t or \\u' };
    if (next === '\\' && matched(STRING_PART, text, at) === 0)
      return { at, reason: 'a backslash that starts no escape; write it twice' };
  }
}

const atEnd = (open: readonly string[]): string => {
  const inside = open.at(-1);
  if (inside === undefined) return 'the body ends before a value';
  return `the body ends before the ${inside === '{' ? 'object is closed with "}"' : 'list is closed with "]"'}`;
};

/** Names the character if it is not part of a word or text. */
function reasonOf(first: string, expected: Expected): string {
  const isName = expected === 'name' || expected === 'first name';
  if (first === "'" || first === '\u201c' || first === '\u2018') return 'use double quotes (")';
  if ((first === '}' || first === ']') && (expected === 'name' || expected === 'value'))
    return `a value is missing before "${first}", or a comma is one too many`;
  if (isName) return 'names of fields need double quotes';
  if (expected === 'nothing')
    return 'more text after the value; send one value, or NDJSON to POST /audit/ingest/batch';
  if (expected === ', or end') return 'a comma or the closing bracket is missing';
  if (expected === ':') return 'a colon is missing after the name of the field';
  if (/[TFN]/.test(first)) return 'write true, false or null, in lower case';
  if (first === '/' || first === '#') return 'JSON has no comments';
  return PUNCTUATION.includes(first)
    ? `unexpected "${first}"`
    : 'not a JSON value; strings need double quotes';
}
