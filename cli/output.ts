import Table from 'cli-table3';

/** Writes a line for a person on standard output. */
export const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) table.push([...row]);
  print(table.toString());
}
