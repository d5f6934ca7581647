import type { Shape } from './shape.ts';
import type { Valued } from './walk.ts';

/** Maximum length of a table's header line that is read on either side of the label. */
const MAX_HEADER = 400;
/** Maximum code units and lines read below the header. */
const MAX_TABLE = 8_192;
const MAX_ROWS = 200;
/** After this many consecutive cells with something else, the column is not one of such values. */
const MAX_MISSES = 2;

interface Column {
  readonly index: number;
  readonly separator: string;
  /** Start of the first row. */
  readonly rows: number;
}

/** How much longer than its label a heading may be: "US passport (if any)". */
const MAX_REST = 24;
const isOfHeading = (character: string | undefined): boolean =>
  character !== undefined && !',;\t|\n\r:=?!'.includes(character);

/** The column headed by the label from `start` to `end`; null if it is not a heading. */
export function columnOf(text: string, start: number, end: number): Column | null {
  let after = end;
  while (isOfHeading(text[after]) && after < end + MAX_REST) after++;
  let before = start - 1;
  while (isOfHeading(text[before]) && before > start - MAX_REST) before--;
  const next = text[after] ?? '\n';
  const previous = text[before] ?? '\n';
  const separator = [next, previous].find((one) => ',;\t|'.includes(one));
  if (separator === undefined) return null;
  const edges = `${separator}\n\r`;
  if (!edges.includes(next) || !edges.includes(previous)) return null;
  const ending = text.slice(after, after + MAX_HEADER).indexOf('\n');
  if (ending === -1) return null;
  const lineEnd = after + ending;
  const reached = Math.max(0, start - MAX_HEADER);
  const lineBreak = text.slice(reached, start).lastIndexOf('\n');
  if (lineBreak === -1 && reached > 0) return null;
  const lineStart = reached + lineBreak + 1;
  // A data row contains values; column names rarely have two consecutive digits.
  if (/\d\d/.test(text.slice(lineStart, lineEnd))) return null;
  return {
    index: text.slice(lineStart, start).split(separator).length - 1,
    separator,
    rows: lineEnd + 1,
  };
}

/** End of the line; -1 if it is too long for a row. */
function lineEndAt(text: string, from: number): number {
  const line = text.slice(from, from + 2 * MAX_HEADER);
  const end = line.indexOf('\n');
  if (end !== -1) return from + end;
  return line.length < 2 * MAX_HEADER ? text.length : -1;
}

/** Span of a cell in its line, without blanks and quotes. */
function cellAt(text: string, from: number, until: number, column: Column): [number, number] | null {
  let index = 0;
  let quoted = false;
  let start = from;
  for (let i = from; i <= until; i++) {
    if (i < until && text[i] === '"') quoted = !quoted;
    if (i < until && (quoted || text[i] !== column.separator)) continue;
    if (index++ === column.index) {
      let [first, last] = [start, i];
      while (first < last && ' "\''.includes(text[first]!)) first++;
      while (last > first && ' "\'\r'.includes(text[last - 1]!)) last--;
      return [first, last];
    }
    start = i + 1;
  }
  return null;
}

function cellValue(text: string, first: number, last: number, shapes: readonly Shape[]): Valued | null {
  for (const shape of shapes) {
    const match = shape(text, first);
    if (match?.end === last) return { start: first, end: last, confidence: match.confidence };
  }
  return null;
}

/** The values of a column, and where reading of the table ended. */
export function columnValues(
  text: string,
  column: Column,
  shapes: readonly Shape[],
): { readonly values: readonly Valued[]; readonly end: number } {
  const values: Valued[] = [];
  let at = column.rows;
  let misses = 0;
  for (let row = 0; row < MAX_ROWS && at < text.length && at - column.rows < MAX_TABLE; row++) {
    const end = lineEndAt(text, at);
    const cell = end === -1 ? null : cellAt(text, at, end, column);
    if (cell === null) break;
    const [first, last] = cell;
    const value = first < last ? cellValue(text, first, last, shapes) : null;
    if (value !== null) values.push(value);
    if (value === null && first < last) misses++;
    else misses = 0;
    if (misses === MAX_MISSES) break;
    at = end + 1;
  }
  return { values, end: at };
}
