import { toWarehouseError } from './failures.ts';

const NEWLINE = 10;
const [COMMA, OPENING, CLOSING] = [',', '[', ']'].map((text) => text.charCodeAt(0)) as [
  number,
  number,
  number,
];

/**
 * Rows of an answer in JSONEachRow, split anywhere: an array for all rows that a piece completes. They become values
 * together, from one text: row by row leaves a text of each behind.
 */
export async function* rowsOfBytes<Row>(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Row[], void, undefined> {
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE);
    if (end < 0) {
      begun.push(piece);
      continue;
    }
    const whole = [...begun, piece.subarray(0, end)];
    begun = end + 1 < piece.length ? [piece.subarray(end + 1)] : [];
    yield parsed<Row>(whole);
  }
  if (begun.length > 0) yield parsed<Row>(begun);
}

/** Lines as one list. Within a row a newline is written as an escape. */
function parsed<Row>(lines: readonly Buffer[]): Row[] {
  const length = lines.reduce((sum, part) => sum + part.length, 0);
  const list = Buffer.allocUnsafe(length + 2);
  let end = list.writeUInt8(OPENING);
  for (const part of lines) end += part.copy(list, end);
  list.writeUInt8(CLOSING, end);
  for (let at = list.indexOf(NEWLINE); at >= 0; at = list.indexOf(NEWLINE, at + 1)) list[at] = COMMA;
  try {
    return JSON.parse(list.toString('utf8')) as Row[];
  } catch (error) {
    throw toWarehouseError('stream', error);
  }
}
