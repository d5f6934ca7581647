import type { TermDetector } from '../detector.ts';
import words from '../lists/command-injection.json' with { type: 'json' };
import { fieldsAround } from '../web/fields.ts';
import { lineAround } from '../web/line.ts';
import { QUOTES_CODE, shellScoreOf } from '../web/shell/judge.ts';
import { weighEncodedLineEnd, weighField, weighShell } from '../web/shell-traits.ts';
import { confidenceOf, type Weighed } from '../web/traits.ts';
import { type Window, windowOf } from '../web/window.ts';

const BEFORE = 100;
const AFTER = 220;
/** Terms this close after a checked offset were covered by that check. */
const STRIDE = 150;

/** Programs after a separator. The separator alone occurs in every second line of code. */
const SEPARATED = words.programs.flatMap((program) => [
  `;${program}`,
  `; ${program}`,
  `|${program}`,
  `| ${program}`,
  `&${program}`,
  `& ${program}`,
  `$(${program}`,
  `\`${program}`,
]);
const TERMS = [...SEPARATED, ...words.terms];

const NOTHING: Weighed = { score: 0, start: 0, end: 0 };

const bestOf = (a: Weighed, b: Weighed): Weighed => (b.score > a.score ? b : a);

/** The best score of the fields around the offset. */
function inFields(window: Window, phrase: number, text: string): Weighed {
  const { plain } = window;
  let best = NOTHING;
  for (const field of fieldsAround(plain, window.atOf(phrase), plain.length >= text.length)) {
    const found = weighField(plain.slice(field.start, field.end));
    if (found.score <= best.score) continue;
    best = { score: found.score, start: field.start + found.start, end: field.start + found.end };
  }
  return best;
}

/** Maximum length of a row on either side of an offset; longer ones are not table rows. */
const MAX_ROW = 400;
const INDENT = 8;

/**
 * Whether the bar at `at` separates cells of a Markdown table: its row starts and ends with bars, has two cells, and is
 * next to another row. A single row may be a command between two separators.
 */
function isBetweenCells(text: string, at: number): boolean {
  if (text[at] !== '|') return false;
  const end = at + text.slice(at, at + MAX_ROW).search(/\n|$/);
  const before = text.slice(Math.max(0, at - MAX_ROW), at);
  const begin = before.lastIndexOf('\n');
  const isCut = (begin === -1 && at > MAX_ROW) || end === at + MAX_ROW;
  const row = (before.slice(begin + 1) + text.slice(at, end)).trim();
  if (isCut || !row.startsWith('|') || !row.endsWith('|') || row.split('|').length <= 3) return false;
  const next = text.slice(end + 1, end + 1 + INDENT).trimStart();
  return next.startsWith('|') || before.slice(0, Math.max(0, begin)).trimEnd().endsWith('|');
}

/** Code units before and after an offset that are read to classify its line. */
const LINE_REACH = 160;
/** A line of a shell script: an assignment, a condition, a command after a prompt or in a makefile. */
const SCRIPT_LINE =
  /^\s{0,24}(?:[-+] )?(?:(?:export|local|readonly|declare|typeset)\s[^\n]{0,60}|[A-Za-z_]\w{0,40}\s{0,2}[:?+]?=\s{0,2}["'(]{0,2}\$\(|(?:&&|\|\||if|elif|while|until|for|case|test|exec|eval|run:|RUN|then|do|else|echo|set|sudo|:)\s|\[{1,2}\s|[$#%>]\s|\/(?:usr\/)?bin\/)|\$\(shell\s|-c\s["']?\$\(/;

/** Whether the offset is in a line of a shell script, in a text of several lines. A single line may be a value. */
function isInScript(text: string, at: number): boolean {
  const { from, until } = lineAround(text, at, LINE_REACH, LINE_REACH);
  if (from === 0 && until === text.length) return false;
  if (text.startsWith('#!')) return true;
  return SCRIPT_LINE.test(text.slice(from, at + 24)) || QUOTES_CODE.test(text.slice(from, at + 80));
}

/** Commands appended to a value: separators, substitution and line breaks followed by a program, reverse shells. */
export const commandInjection: TermDetector = {
  name: 'command-injection',
  version: 3,
  terms: TERMS,
  visitor: (text, push) => {
    let done = 0;
    let checked = 0;
    return (_term, start) => {
      if (start < done || start < checked || isBetweenCells(text, start) || isInScript(text, start)) return;
      checked = start + STRIDE;
      const { from, until } = lineAround(text, start, BEFORE, AFTER);
      const window = windowOf(text, from, until);
      // The patterns below are slow on near matches, while this reads the commands only once.
      if (window.decoded === 0 && shellScoreOf(window.plain) === 0) return;
      const plain = bestOf(weighShell(window.plain), inFields(window, start, text));
      const base = from;
      const encoded = window.decoded === 0 ? NOTHING : weighEncodedLineEnd(text.slice(from, until));
      const confidence = confidenceOf(plain.score + encoded.score);
      if (confidence === 0) return;
      const begins = encoded.end === 0 ? Infinity : base + encoded.start;
      const first = Math.max(
        done,
        Math.min(begins, plain.end === 0 ? Infinity : window.offsetOf(plain.start)),
      );
      const last = Math.max(base + encoded.end, window.offsetOf(plain.end));
      if (last <= first) return;
      push({ code: 'CODE_INJECTION', entity: null, start: first, end: last, confidence });
      done = last;
    };
  },
};
