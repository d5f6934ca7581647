import type { Tally } from './tally.ts';
import {
  type Field,
  I64,
  LIST,
  type List,
  readStruct,
  STRUCT,
  type Struct,
  writeStruct,
} from './thrift-compact.ts';

/**
 * Merges many small Parquet files, which the warehouse writes one per window, into one: the row groups are concatenated
 * unchanged, and one footer lists them all at their new offsets. So only one window is in memory, and the engine never
 * holds a whole export, as it would have to for the footer.
 */

const MAGIC = Buffer.from('PAR1');
/** Hashing a chunk blocks every other request. */
const PIECE_BYTES = 256 * 1024;
/** Length of the footer and the magic bytes. */
const TAIL_BYTES = 8;

/** Ids of the fields that are changed, from the format's definition (parquet.thrift). */
const FILE = { numRows: 3, rowGroups: 4 } as const;
const GROUP = { columns: 1, fileOffset: 5, ordinal: 7 } as const;
const CHUNK = { fileOffset: 2, metaData: 3, offsetIndex: 4, columnIndex: 6 } as const;
const META = { dataPage: 9, indexPage: 10, dictionaryPage: 11, bloomFilter: 14 } as const;

export async function* parquetFile(
  windows: AsyncIterable<AsyncIterable<Buffer>>,
  tally: Tally,
): AsyncGenerator<Buffer> {
  yield MAGIC;
  let written = MAGIC.length;
  let footer: Struct | null = null;
  const groups: { written: Buffer }[] = [];
  for await (const window of windows) {
    const { data, meta } = await readFile(window);
    for (const group of listOf(meta, FILE.rowGroups).items) {
      groups.push({ written: writeStruct(movedGroup(group as Struct, BigInt(written - MAGIC.length))) });
    }
    tally.addRows(Number(numberOf(meta, FILE.numRows)));
    footer ??= meta;
    written += data.length;
    for (let at = 0; at < data.length; at += PIECE_BYTES) yield data.subarray(at, at + PIECE_BYTES);
  }
  if (footer === null) throw new Error('an export needs at least one window');
  const whole: Struct = new Map(footer);
  whole.set(FILE.numRows, { type: I64, value: BigInt(tally.rowCount()) });
  whole.set(FILE.rowGroups, { type: LIST, value: { elementType: STRUCT, items: groups } });
  const bytes = writeStruct(whole);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  yield Buffer.concat([bytes, length, MAGIC]);
}

/** The data of a file, and its footer. */
async function readFile(window: AsyncIterable<Buffer>): Promise<{ data: Buffer; meta: Struct }> {
  const chunks: Buffer[] = [];
  for await (const chunk of window) chunks.push(chunk);
  const file = Buffer.concat(chunks);
  const tail = file.length - TAIL_BYTES;
  if (tail < MAGIC.length || !file.subarray(-MAGIC.length).equals(MAGIC)) {
    throw new Error('the warehouse sent a file that is not Parquet');
  }
  const end = tail - file.readUInt32LE(tail);
  return { data: file.subarray(MAGIC.length, end), meta: readStruct(file.subarray(end, tail)) };
}

/** A row group shifted by `by` bytes. Its ordinal within the file is optional and left out. */
function movedGroup(group: Struct, by: bigint): Struct {
  const moved = movedOffsets(group, [GROUP.fileOffset], by);
  moved.delete(GROUP.ordinal);
  const columns = listOf(group, GROUP.columns);
  const items = columns.items.map((column) => movedColumn(column as Struct, by));
  moved.set(GROUP.columns, { type: LIST, value: { ...columns, items } });
  return moved;
}

function movedColumn(column: Struct, by: bigint): Struct {
  const moved = movedOffsets(column, [CHUNK.fileOffset, CHUNK.offsetIndex, CHUNK.columnIndex], by);
  const meta = moved.get(CHUNK.metaData);
  if (meta === undefined) throw new Error('a column of the Parquet file has no metadata');
  const value = movedOffsets(meta.value as Struct, Object.values(META), by);
  return moved.set(CHUNK.metaData, { ...meta, value });
}

/** 0 means "not set". */
function movedOffsets(struct: Struct, ids: readonly number[], by: bigint): Struct {
  const moved: Struct = new Map(struct);
  for (const id of ids) {
    const field: Field | undefined = struct.get(id);
    if (field !== undefined && field.value !== 0n)
      moved.set(id, { ...field, value: (field.value as bigint) + by });
  }
  return moved;
}

function listOf(struct: Struct, id: number): List {
  const field = struct.get(id);
  if (field?.type !== LIST) throw new Error('the footer of the Parquet file lacks a list');
  return field.value as List;
}

function numberOf(struct: Struct, id: number): bigint {
  const value = struct.get(id)?.value;
  if (typeof value !== 'bigint') throw new Error('the footer of the Parquet file lacks a number');
  return value;
}
