import { toWarehouseError } from './failures.ts';

const NEWLINE = 10;
const [COMMA, OPENING, CLOSING] = [',', '[', ']'].map((text) => text.charCodeAt(0)) as [
  number,
  number,
  number,
];

/**
 * Parses a JSONEachRow or JSONCompactEachRow response, split anywhere: yields one array with all rows that a chunk
 * completes. All of them are parsed from one text, because parsing row by row leaves one string per row to collect.
 */
export async function* rowsOfBytes<Row>(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Row[], void, undefined> {
  const list = new LineList();
  let partial: Buffer[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE);
    if (end < 0) {
      partial.push(piece);
      continue;
    }
    const whole = [...partial, piece.subarray(0, end)];
    partial = end + 1 < piece.length ? [piece.subarray(end + 1)] : [];
    yield list.valuesOf(whole) as Row[];
  }
  if (partial.length > 0) yield list.valuesOf(partial) as Row[];
}

/**
 * Joins lines into one JSON array in a reused buffer: a new buffer for each chunk would bring the next full garbage
 * collection closer.
 */
class LineList {
  #bytes = Buffer.allocUnsafe(0);

  /** A newline inside a line is written as an escape. */
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
