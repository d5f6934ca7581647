import Table from 'cli-table3';

/**
 * Characters that control a terminal, or change the order in which a line is read: C0 and C1, which begin escape
 * sequences, line and paragraph separators, and bidirectional controls. Line breaks between our own lines are allowed.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are made visible
const UNSEEN = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const spelt = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text from others, on one line: control characters are escaped as in JSON. */
const visible = (text: string): string => text.replace(UNSEEN, spelt);

/** Our own lines, which may contain names from others. */
const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** Writes a line for a person on standard output. */
export const print = (line = ''): void => {
  process.stdout.write(`${visibleLines(line)}\n`);
};

/** Writes a line for a person on standard error. */
export const printError = (line: string): void => {
  process.stderr.write(`${visibleLines(line)}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** No rules between rows: tables are read, and copied, as plain text. */
const PLAIN = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const table = new Table({ head: [...head], style: { head: [], border: [] }, chars: PLAIN });
  for (const row of rows) table.push(row.map((cell) => (typeof cell === 'string' ? visible(cell) : cell)));
  print(table.toString());
}
