import { type ValueSpan, valueAt } from './value.ts';

interface Way {
  /** The text before the name. */
  readonly before: RegExp;
  /** From the end of the name to the value. Sticky. */
  readonly between: RegExp;
  /** The text after the value. */
  readonly after: RegExp;
}

/** Ways to pass a named value without an assignment sign. */
const WAYS: readonly Way[] = [
  // define('DB_PASSWORD', 'value'): exactly two arguments, so that lists of columns do not match.
  { before: /\(\s?["'][\w.-]{0,32}$/, between: /\w{0,12}["']\s?,\s{0,3}(?=["'])/y, after: /["']\s?\)/y },
  // setPassword("value"), withApiKey("value")
  { before: /(?:set|with)_?\w{0,12}$/i, between: /\(\s?(?=["'])/y, after: /["']\s?\)/y },
  // <entry key="password">value</entry>
  { before: /\b(?:key|name)\s?=\s?["'][\w.-]{0,32}$/i, between: /["']\s?>/y, after: /<\//y },
];
const BEFORE_REACH = 48;

/** The value passed together with the name from `start` to `end`. */
export function valuePassedOn(text: string, start: number, end: number): ValueSpan | null {
  const front = text.slice(Math.max(0, start - BEFORE_REACH), start);
  for (const { before, between, after: afterwards } of WAYS) {
    between.lastIndex = end;
    const match = between.exec(text);
    if (match === null || !before.test(front)) continue;
    const span = valueAt(text, end + match[0].length);
    afterwards.lastIndex = span.end;
    return afterwards.test(text) ? span : null;
  }
  return null;
}
