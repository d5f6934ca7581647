/**
 * What stands under one key of the embedded log: a record (`record-format.ts`), or a block of several, because LMDB gives
 * values of more than 2 KB whole pages of 4 KB and packs smaller ones two to a page at best:
 *
 *   mark u8 | count u16 | length u32 of each record | the records
 *
 * The key is the offset of the value's LAST record. So the first key that is not below an offset leads to the record with
 * that offset, and a key below an offset leads to nothing at or above it.
 */
const MARK = 3;
const COUNT_AT = 1;
const LENGTHS_AT = 3;
const LENGTH_BYTES = 4;

/** A block fills four of LMDB's pages but for the 16 bytes of their header. */
export const BLOCK_BYTES = 4 * 4_096 - 16;
/** Bytes of a block without records. */
export const EMPTY_BLOCK_BYTES = LENGTHS_AT;

/** Bytes that a record takes in a block. */
export const bytesInBlock = (record: Buffer): number => LENGTH_BYTES + record.length;

export const isBlock = (value: Buffer): boolean => value[0] === MARK;

export function encodeBlock(records: readonly Buffer[]): Buffer {
  const head = Buffer.allocUnsafe(LENGTHS_AT + records.length * LENGTH_BYTES);
  head[0] = MARK;
  head.writeUInt16BE(records.length, COUNT_AT);
  for (const [index, record] of records.entries())
    head.writeUInt32BE(record.length, LENGTHS_AT + index * LENGTH_BYTES);
  return Buffer.concat([head, ...records]);
}

/**
 * Offsets and bytes of the records in a value, views of it; `last` is the offset of its key. None when a block's lengths
 * do not add up: it is damaged, and which bytes are whose is lost.
 */
export function* recordsIn(value: Buffer, last: number): Generator<[number, Buffer]> {
  if (!isBlock(value)) {
    yield [last, value];
    return;
  }
  const ends = endsOf(value);
  let at = LENGTHS_AT + ends.length * LENGTH_BYTES;
  for (const [index, end] of ends.entries()) {
    yield [last - ends.length + 1 + index, value.subarray(at, end)];
    at = end;
  }
}

function endsOf(block: Buffer): number[] {
  const count = block.length < LENGTHS_AT ? 0 : block.readUInt16BE(COUNT_AT);
  let end = LENGTHS_AT + count * LENGTH_BYTES;
  if (end > block.length) return [];
  const ends: number[] = [];
  for (let index = 0; index < count; index++) {
    end += block.readUInt32BE(LENGTHS_AT + index * LENGTH_BYTES);
    ends.push(end);
  }
  return end === block.length ? ends : [];
}
