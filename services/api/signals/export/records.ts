/** Counts the records that end in a chunk. Chunks come in order and may be cut at any byte. */
export type RecordCounter = (chunk: Buffer) => number;

const NEWLINE = 0x0a;
const QUOTE = 0x22;

/** Lines of JSON: a line break inside a text is written as an escape. */
export const countLines: RecordCounter = (chunk) => {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
};

const LIST_END = 0x5d;

/**
 * Counts CSV records whose last cell is a quoted JSON list: a record ends at a line break after a quote after the
 * list's bracket. Inside a cell a quote is doubled, and an opening quote follows a comma, so no text can look like
 * this.
 */
export function csvRecordCounter(): RecordCounter {
  let before: readonly [number, number] = [0, 0];
  return (chunk) => {
    const byteAt = (at: number): number => (at < 0 ? before[at + 2] : chunk[at]) ?? 0;
    let records = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
      if (byteAt(at - 1) === QUOTE && byteAt(at - 2) === LIST_END) records++;
    }
    before = [byteAt(chunk.length - 2), byteAt(chunk.length - 1)];
    return records;
  };
}
