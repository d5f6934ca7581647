/** A row of a table in the page. */
export type Cells = readonly string[];

const ROW = /^\|(.*)\|$/;
const RULE = /^\|[\s|:-]+\|$/;

/** Rows of the table below a heading, without its head. */
export function rowsUnder(page: string, heading: string): Cells[] {
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`the page has no heading "${heading}"`);
  const section = page.slice(start + 1).split(/\n(?=## )/, 1)[0]!;
  const lines = section.split('\n').filter((line) => ROW.test(line) && !RULE.test(line));
  return lines.slice(1).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** The page with the rows of the table below a heading replaced. */
export function withRows(page: string, heading: string, rows: readonly Cells[]): string {
  const start = page.indexOf(`\n## ${heading}\n`);
  const lines = page.slice(start + 1).split('\n');
  const rule = lines.findIndex((line) => RULE.test(line));
  const end = lines.findIndex((line, index) => index > rule && !ROW.test(line));
  const written = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return `${page.slice(0, start + 1)}${[...lines.slice(0, rule + 1), ...written, ...lines.slice(end)].join('\n')}`;
}

const LIST = ', ';
export const listed = (cell: string): string[] => cell.split(LIST).filter((one) => one !== '');
export const listOf = (names: Iterable<string>): string => [...new Set(names)].sort().join(LIST);

/** Merges rows that differ only in one cell, and lists all values of that cell. */
export function mergedBy(rows: readonly Cells[], cell: number): Cells[] {
  const groups = new Map<string, { readonly cells: Cells; readonly names: string[] }>();
  for (const cells of rows) {
    const key = cells.filter((_, index) => index !== cell).join('|');
    const group = groups.get(key) ?? { cells, names: [] };
    group.names.push(...listed(cells[cell]!));
    groups.set(key, group);
  }
  return [...groups.values()].map(({ cells, names }) => cells.with(cell, listOf(names)));
}
