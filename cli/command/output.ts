import { layOut } from './table.ts';

/**
 * Characters that control a terminal or change the reading order of a line: C0 and C1, which start escape sequences,
 * line and paragraph separators, and bidirectional controls. Line breaks between our own lines are allowed.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are made visible
const UNSEEN = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const spelt = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** External text on one line: control characters are escaped as in JSON. */
export const visible = (text: string): string => text.replace(UNSEEN, spelt);

/** Our own lines, which may contain external names. */
const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** Writes a line for people to standard output. */
export const print = (line = ''): void => {
  process.stdout.write(`${visibleLines(line)}\n`);
};

/** Writes a line for people to standard error. */
export const printError = (line: string): void => {
  process.stderr.write(`${visibleLines(line)}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

const DEFAULT_COLUMNS = 80;

type Cell = string | number;

/** A terminal's width. For other programs, such as grep, each row is one line, however long. */
const tableWidth = ({ isTTY, columns }: NodeJS.WriteStream): number =>
  columns || (isTTY ? DEFAULT_COLUMNS : Number.POSITIVE_INFINITY);

/** A table that fits the terminal. Columns without any value are left out. */
export function printTable(head: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? visible(cell) : cell)));
  const filled = head.map((_, column) => cells.some((row) => row[column] !== ''));
  const isFilled = (_: unknown, column: number): boolean => filled[column] === true;
  const shown = [head.map((name) => name.toUpperCase()), ...cells].map((row) => row.filter(isFilled));
  print(layOut(shown, tableWidth(process.stdout)));
}

/** "1 signal", "1,234 signals". */
export const plural = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** A service timestamp to the minute, UTC: "2026-11-30 18:53". */
export const minuteOf = (time: string): string => time.slice(0, 16).replace('T', ' ');
