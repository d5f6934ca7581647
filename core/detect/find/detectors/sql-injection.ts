import { isAsciiLetter } from '../../read/characters.ts';
import type { Candidate, TermDetector } from '../detector.ts';
import words from '../lists/sql-injection.json' with { type: 'json' };
import { fieldsAround } from '../web/fields.ts';
import { lineAround } from '../web/line.ts';
import { isStatementOrSentence } from '../web/sentences.ts';
import { bareScoreOf, MAY_SCORE, PROSE, weighSql } from '../web/sql-fingerprints.ts';
import { hasPlusForBlank, type SqlTokens, sqlTokensOf, tokensOfWindow } from '../web/sql-tokens.ts';
import { confidenceOf, ENOUGH, type Weighed } from '../web/traits.ts';
import { type Window, windowOf } from '../web/window.ts';

const BEFORE = 90;
const AFTER = 240;
/** Terms this close after a checked offset were covered by that check. */
const STRIDE = 150;

/** The text after AND and OR in a request's URL, where blanks and marks are encoded. */
const ENCODED_CONDITION =
  /(?:[-+~!@'"`\d(]|%2[2789bd]|true|not|exists|null|sleep|\w{1,20}(?:=|%3d|\(|%28|%20(?:like|in|is|between)))/iy;

/** Weak terms, each with the text that must follow it before a full check. */
const GATED: readonly (readonly [string, RegExp])[] = [
  [' or ', /[\s(]{0,3}(?:[-+~!@'"`\d]|true|not|exists|null|x'|sleep|\w{1,20}\s?(?:=|like|in\s?\())/iy],
  [
    ' and ',
    /[\s(]{0,3}(?:[-+~!@'"`\d]|true|not\s?\(|exists|null|sleep|benchmark|select|if\(|\w{1,20}\s?(?:=|\())/iy,
  ],
  ["' or", /[\s(]/y],
  ["'or", /[\s(\d'"]/y],
  ['" or', /[\s(]/y],
  ['"or', /[\s(\d'"]/y],
  ["' and", /[\s(]/y],
  ["' xor", /[\s(]/y],
  [') or', /[\s(]{1,3}["'\d(]/y],
  [') and', /[\s(]{1,3}["'\d(]/y],
  ['||', /\s{0,2}(?:['"\d(]|sleep|select|utl|char|chr|case|pg_)/iy],
  ['&&', /\s{0,2}(?:['"\d(]|sleep|select)/iy],
  ['select', /[\s(/*+'"@-]|%20|%0/y],
  ['union', /[\s(/*+-]{1,4}(?:all|distinct|select|values|\(|\/|-|all\+)|%20|%0|%a0|\/|\)|\+|\(/iy],
  ["'--", /[\s-]|$|\w/y],
  ["' --", /[\s-]|$/y],
  ['"--', /[\s-]|$/y],
  ["')", /\s{0,2}(?:--|#|;|or\b|and\b|union)/iy],
  ["'#", /\s|$/y],
  ["' #", /\s|$/y],
  [
    "';",
    /\s{0,3}(?:--|drop|delete|insert|update|exec|shutdown|truncate|alter|create|declare|waitfor|select|begin|if|end|call|grant|attach|rename|lock|copy|set\s|\/\*)/iy,
  ],
  [
    '";',
    /\s{0,3}(?:--|drop|delete|insert|update|exec|shutdown|truncate|alter|create|declare|waitfor|select|begin)\b/iy,
  ],
  [
    ');',
    /\s{0,3}(?:drop|delete|insert|update|exec|shutdown|truncate|alter|declare|waitfor|select|begin|if)\s/iy,
  ],
  [
    ';',
    /\s{0,2}(?:drop\s+(?:table|database)|delete\s+from|exec\b|waitfor|shutdown|declare\s+@|load\s+data|call\s|delete\s+(?:quick|ignore)|update\s{1,8}\w{1,40}\s{1,8}set\b|insert\s{1,8}into\b|set\s{1,8}@|attach\s{1,8}database|rename\s{1,8}table|lock\s{1,8}tables|copy\s|pragma\s)/iy,
  ],
  ['sleep', /\s?\(/y],
  ['+or+', /[\s\S]/y],
  ['+and+', /[\s\S]/y],
  ['%20or%20', ENCODED_CONDITION],
  ['%20and%20', ENCODED_CONDITION],
  ['%27', /[\s\S]/y],
  ['%22', /(?:%20|\+|\s)(?:or|and|union)/iy],
  ['order by', /\s\d/y],
  ['group by', /\s{1,2}[-(\d]/y],
  ['having', /[\s(]{1,2}[-(\d']/y],
];
const PLAIN = words.terms;
const TERMS = [...GATED.map(([term]) => term), ...PLAIN];

/** `'--with-openssl'`, `"--flag"`: an option after an opening quote, not a comment after a closing one. */
const isOption = (text: string, start: number, end: number): boolean =>
  text.startsWith('--', end - 2) &&
  isAsciiLetter(text.charCodeAt(end)) &&
  (start === 0 || ' \t\n([{,:='.includes(text[start - 1]!));

const BACKTICKS = /`[^`\n]{0,80}`/g;

/**
 * The text around an offset on its line, because a value cannot contain line breaks other than encoded ones. Backticks
 * around names and code are removed.
 */
function lineWindow(text: string, start: number): Window {
  const { from, until } = lineAround(text, start, BEFORE, AFTER);
  const window = windowOf(text, from, until);
  if (!window.plain.includes('`')) return window;
  return { ...window, plain: window.plain.replaceAll(BACKTICKS, (quoted) => ` ${quoted.slice(1, -1)} `) };
}

/** Searches one text around its terms. */
function sqlSearch(text: string, push: (candidate: Candidate) => void) {
  let done = 0;
  let checked = 0;

  const visit = (term: number, start: number, end: number): void => {
    if (start < done || start < checked) return;
    const gate = GATED[term]?.[1];
    if (gate !== undefined) {
      gate.lastIndex = end;
      if (!gate.test(text)) return;
    }
    if (isOption(text, start, end)) return;
    const window = lineWindow(text, start);
    const tokens = tokensOfWindow(window);
    checked = start + STRIDE;
    if (!MAY_SCORE.test(tokens.kinds)) return;
    const found = weighSql(tokens.kinds);
    if (found.score < ENOUGH) reportField(window, window.atOf(start));
    if (start >= done) report(window, tokens, found);
  };

  const report = (window: Window, { starts, ends }: SqlTokens, found: Weighed, offset = 0): boolean => {
    const confidence = confidenceOf(found.score);
    if (confidence === 0 || found.end <= found.start) return false;
    const start = Math.max(done, window.offsetOf(offset + starts[found.start]!));
    const end = window.offsetOf(offset + ends[found.end - 1]!);
    if (end <= start) return false;
    push({ code: 'CODE_INJECTION', entity: null, start, end, confidence });
    done = end;
    return true;
  };

  const reportField = (window: Window, at: number): void => {
    for (const field of fieldsAround(window.plain, at, false)) {
      const plain = window.plain.slice(field.start, field.end);
      if (isStatementOrSentence(plain)) continue;
      const tokens = sqlTokensOf(plain, hasPlusForBlank(plain));
      if (PROSE.test(tokens.kinds)) continue;
      const marked = weighSql(tokens.kinds);
      const score = bareScoreOf(tokens.kinds) + Math.max(0, marked.score);
      if (report(window, tokens, { score, start: 0, end: tokens.kinds.length }, field.start)) return;
    }
  };
  return visit;
}

/** SQL fragments that break out of the value that contains them: tautologies, UNION, stacked statements, delays. */
export const sqlInjection: TermDetector = {
  name: 'sql-injection',
  version: 2,
  terms: TERMS,
  visitor: (text, push) => {
    return sqlSearch(text, push);
  },
};
