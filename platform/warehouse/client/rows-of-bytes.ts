import { toWarehouseError } from './failures.ts';

const NEWLINE = 10;
const [COMMA, OPENING, CLOSING] = [',', '[', ']'].map((text) => text.charCodeAt(0)) as [
  number,
  number,
  number,
];

/**
 * Rows of an answer in JSONEachRow or JSONCompactEachRow, split anywhere: an array for all rows that a piece completes. They
 * become values together, from one text: row by row leaves a text of each behind.
 */
export async function* rowsOfBytes<Row>(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Row[], void, undefined> {
  const list = new LineList();
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE);
    if (end < 0) {
      begun.push(piece);
      continue;
    }
    const whole = [...begun, piece.subarray(0, end)];
    begun = end + 1 < piece.length ? [piece.subarray(end + 1)] : [];
    yield list.valuesOf(whole) as Row[];
  }
  if (begun.length > 0) yield list.valuesOf(begun) as Row[];
}

/**
 * Makes one JSON list of lines, in memory that is used again: a new buffer for each piece brings the next full collection
 * nearer.
 */
class LineList {
  #bytes = Buffer.allocUnsafe(0);

  /** Within a line a newline is written as an escape. */
  valuesOf(lines: readonly Buffer[]): unknown[] {
    const length = lines.reduce((sum, part) => sum + part.length, 2);
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(2 * length);
    const bytes = this.#bytes;
    let end = bytes.writeUInt8(OPENING);
    for (const part of lines) end += part.copy(bytes, end);
    bytes.writeUInt8(CLOSING, end);
    for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1))
      bytes[at] = COMMA;
    try {
      return JSON.parse(bytes.toString('utf8', 0, length)) as unknown[];
    } catch (error) {
      throw toWarehouseError('stream', error);
    }
  }
}
