import { EXPORT_COLUMNS } from '#schemas/api/export.ts';
import { countLines, csvRecordCounter, type RecordCounter } from './records.ts';
import type { Tally } from './tally.ts';

/** Formats whose rows the warehouse writes: here they are only passed on, counted and joined. */

type Rows = AsyncIterable<Buffer>;

const HEADER = Buffer.from(`${EXPORT_COLUMNS.join(',')}\n`);

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The column names, then the records; `bom`: starts with a byte-order mark. */
export async function* csvFile(records: Rows, tally: Tally, bom = false): AsyncGenerator<Buffer> {
  if (bom) yield BYTE_ORDER_MARK;
  yield HEADER;
  yield* counted(records, csvRecordCounter(), tally);
}

export const ndjsonFile = (lines: Rows, tally: Tally): AsyncIterable<Buffer> =>
  counted(lines, countLines, tally);

async function* counted(rows: Rows, count: RecordCounter, tally: Tally): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    tally.addRows(count(chunk));
    yield chunk;
  }
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']\n');
const COMMA = Buffer.from(',');
const NEWLINE = 0x0a;

/**
 * The lines as an array. In JSON lines a line break always ends a line, so it can become the comma; the last one is
 * dropped.
 */
export async function* jsonFile(lines: Rows, tally: Tally): AsyncGenerator<Buffer> {
  let joint = OPEN;
  for await (const chunk of lines) {
    if (chunk.length === 0) continue;
    tally.addRows(countLines(chunk));
    const endsLine = chunk.at(-1) === NEWLINE;
    const body = endsLine ? chunk.subarray(0, -1) : chunk;
    for (let at = body.indexOf(NEWLINE); at >= 0; at = body.indexOf(NEWLINE, at + 1))
      body.write(',', at, 'latin1');
    yield Buffer.concat([joint, body]);
    joint = endsLine ? COMMA : Buffer.alloc(0);
  }
  yield joint === OPEN ? Buffer.concat([OPEN, CLOSE]) : CLOSE;
}
