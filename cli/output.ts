import Table from 'cli-table3';

/** Writes a line for a person on standard output. */
export const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** No lines between rows: tables are read, and copied, as plain text. */
const PLAIN = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const table = new Table({ head: [...head], style: { head: [], border: [] }, chars: PLAIN });
  for (const row of rows) table.push([...row]);
  print(table.toString());
}
