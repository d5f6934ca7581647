import type { TermDetector } from '../../detector.ts';
import { fieldsAround } from '../web/fields.ts';
import { weighEncodedLineEnd, weighField, weighShell } from '../web/shell-traits.ts';
import { confidenceOf, type Weighed } from '../web/traits.ts';
import { type Window, windowOf } from '../web/window.ts';

const BEFORE = 100;
const BEHIND = 220;
/** Terms this close after a place that was checked were checked together with it. */
const STRIDE = 120;

/** Programs that follow a separator; the separator itself is in every second line of code. */
const PROGRAMS =
  'cat id whoami uname ls dir pwd ps env nc ncat netcat curl wget ping nslookup dig sleep bash sh python perl php ruby powershell cmd net type rm ifconfig ipconfig hostname echo touch chmod printenv certutil telnet netstat system timeout';
const SEPARATED = PROGRAMS.split(' ').flatMap((program) => [
  `;${program}`,
  `; ${program}`,
  `|${program}`,
  `| ${program}`,
  `&${program}`,
  `& ${program}`,
  `$(${program}`,
  `\`${program}`,
]);
const TERMS = [
  ...SEPARATED,
  '/etc/passwd',
  '/etc/shadow',
  '/bin/cat',
  '/bin/sh',
  '/bin/bash',
  '/dev/tcp/',
  '%0a',
  '%3b',
  '%7c',
  '%26',
  '%24(',
  '%24%28',
  '%60',
  '$ifs',
  '${ifs',
  'mkfifo',
  'nc -e',
  'socket.socket',
  'downloadstring',
  'powershell -e',
  '() {',
  '(){',
  "c'a't",
];

const NOTHING: Weighed = { score: 0, start: 0, end: 0 };

const bestOf = (a: Weighed, b: Weighed): Weighed => (b.score > a.score ? b : a);

/** The best interpretation as a field around the place. */
function inFields(window: Window, place: number, text: string): Weighed {
  const { plain } = window;
  let best = NOTHING;
  for (const field of fieldsAround(plain, window.atOf(place), plain.length >= text.length)) {
    const found = weighField(plain.slice(field.start, field.end));
    if (found.score <= best.score) continue;
    best = { score: found.score, start: field.start + found.start, end: field.start + found.end };
  }
  return best;
}

/** Maximum length of a row on either side of a place; what is longer is none. */
const MAX_ROW = 400;
const INDENT = 8;

/**
 * Whether the bar at `at` is between cells of a Markdown table: its row begins and ends with bars, has two cells, and is
 * next to another row. One row alone may be a command between two separators.
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

/** A command appended to a value: separators, substitution and line ends followed by a program, reverse shells. */
export const commandInjection: TermDetector = {
  name: 'command-injection',
  version: 3,
  terms: TERMS,
  visitor: (text, push) => {
    let done = 0;
    let checked = 0;
    return (_term, start) => {
      if (start < done || start < checked || isBetweenCells(text, start)) return;
      checked = start + STRIDE;
      const window = windowOf(text, start - BEFORE, start + BEHIND);
      const plain = bestOf(weighShell(window.plain), inFields(window, start, text));
      const base = Math.max(0, start - BEFORE);
      const encoded = window.decoded === 0 ? NOTHING : weighEncodedLineEnd(text.slice(base, start + BEHIND));
      const confidence = confidenceOf(plain.score + encoded.score);
      if (confidence === 0) return;
      const begins = encoded.end === 0 ? Infinity : base + encoded.start;
      const from = Math.max(done, Math.min(begins, plain.end === 0 ? Infinity : window.placeOf(plain.start)));
      const until = Math.max(base + encoded.end, window.placeOf(plain.end));
      if (until <= from) return;
      push({ code: 'CODE_INJECTION', entity: null, start: from, end: until, confidence });
      done = until;
    };
  },
};
