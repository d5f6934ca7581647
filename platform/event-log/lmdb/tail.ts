import { BLOCK_BYTES, bytesInBlock, EMPTY_BLOCK_BYTES, encodeBlock, isBlock } from './block-format.ts';
import type { Records } from './file.ts';
import { offsetOf, type PartitionState, recordKey } from './topics.ts';

/** The end of a partition, where each record has its own key until they fill a block. */
export interface Tail {
  /** Its first offset. */
  readonly from: number;
  /** Size of the block that its records would form. */
  readonly bytes: number;
}

/** The changes of one transaction to one partition. */
interface Extension {
  readonly state: PartitionState;
  /** Offsets of keys to remove, because a block now holds their records. */
  readonly removed: readonly number[];
  readonly puts: readonly (readonly [offset: number, value: Buffer])[];
  readonly tail: Tail;
}

const emptyFrom = (from: number): Tail => ({ from, bytes: EMPTY_BLOCK_BYTES });

/** The tail in the file: the last records that are not in a block and fill less than one. */
export function findTail(records: Records, state: PartitionState): Tail {
  let tail = emptyFrom(state.end);
  const start = recordKey(state, state.end);
  const end = recordKey(state, 0).subarray(0, 4);
  for (const { key, value } of records.getRange({ start, end, reverse: true })) {
    const offset = offsetOf(key);
    const bytes = tail.bytes + bytesInBlock(value);
    if (offset !== tail.from - 1 || offset < state.start || isBlock(value) || bytes > BLOCK_BYTES) break;
    tail = { from: offset, bytes };
  }
  return tail;
}

/**
 * Appends records to a partition. Records that arrive slowly are stored singly. Once they fill a block, the transaction
 * that brings the next record joins them. So each is written at most twice, and a transaction holds all of a block or
 * none.
 */
export function extendTail(
  records: Records,
  state: PartitionState,
  stored: Tail,
  added: readonly Buffer[],
): Extension {
  const removed: number[] = [];
  const puts: [number, Buffer][] = [];
  let tail = stored;
  let waiting: Buffer[] = [];

  /** Makes a block of all records from the start of the tail up to `end`. A single record needs none. */
  const close = (end: number): void => {
    const single = singleRecords(records, state, tail.from, Math.min(end, state.end));
    const all = [...single, ...waiting];
    if (all.length > 1) {
      puts.push([end - 1, encodeBlock(all)]);
      for (let at = end - all.length; at < Math.min(end - 1, state.end); at += 1) removed.push(at);
    } else if (waiting.length === 1) puts.push([end - 1, waiting[0]!]);
    waiting = [];
    tail = emptyFrom(end);
  };

  for (const [index, record] of added.entries()) {
    const bytes = bytesInBlock(record);
    if (tail.bytes + bytes > BLOCK_BYTES) close(state.end + index);
    waiting.push(record);
    tail = { from: tail.from, bytes: tail.bytes + bytes };
  }
  const first = state.end + added.length - waiting.length;
  for (const [index, record] of waiting.entries()) puts.push([first + index, record]);
  return { state, removed, puts, tail };
}

/** Call within a transaction. Removals first: the key of a block may be that of a record in it. */
export function applyExtension(records: Records, { state, removed, puts }: Extension): void {
  for (const offset of removed) records.remove(recordKey(state, offset));
  for (const [offset, value] of puts) records.put(recordKey(state, offset), value);
}

/** Records that the file holds singly, starting at `from`, without a gap up to `end`: a block cannot have gaps. */
function singleRecords(records: Records, state: PartitionState, from: number, end: number): Buffer[] {
  if (from >= end) return [];
  let found: Buffer[] = [];
  let next = from;
  for (const { key, value } of records.getRange({
    start: recordKey(state, from),
    end: recordKey(state, end),
  })) {
    const offset = offsetOf(key);
    if (offset !== next || isBlock(value)) found = [];
    if (!isBlock(value)) found.push(value);
    next = offset + 1;
  }
  return next === end ? found : [];
}
