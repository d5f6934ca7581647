/**
 * The value of a key in the embedded log: one record (`record-format.ts`), or a block of several. LMDB stores values of
 * more than 2 KB in whole pages of 4 KB, and at best two smaller values per page.
 *
 *   mark u8 | count u16 | length u32 of each record | the records
 *
 * The key is the offset of the value's LAST record. So the record with a given offset is in the value of the first key
 * that is not below this offset; a key below it leads to no record at or above it.
 */
const MARK = 3;
const COUNT_AT = 1;
const LENGTHS_AT = 3;
const LENGTH_BYTES = 4;

/** A block fills four LMDB pages except for their header of 16 bytes. */
export const BLOCK_BYTES = 4 * 4_096 - 16;
/** Size of a block without records. */
export const EMPTY_BLOCK_BYTES = LENGTHS_AT;

/** Bytes that a record occupies in a block. */
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
 * Offsets and bytes (views) of the records in a value; `last` is the offset of its key. Yields none when a block's
 * lengths do not add up: the block is damaged, and the boundaries of its records are lost.
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
