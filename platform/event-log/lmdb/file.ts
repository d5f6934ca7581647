import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Database, open as openLmdb, type RootDatabase } from 'lmdb';
import type { StoredRecord } from '../port.ts';
import { recordsIn } from './block-format.ts';
import { decodeRecord, decodeTimestamp } from './record-format.ts';
import { offsetOf, type PartitionState, partitionEnd, recordKey } from './topics.ts';

const FILE = 'log.mdb';

export const logFile = (folder: string): string => path.join(folder, FILE);

export type Records = Database<Buffer, Buffer>;

/**
 * Opens the LMDB file of a log, in any thread of its process. `overlappingSync` is off, so that LMDB's own commit syncs
 * data and meta page before its promise resolves and before readers see the transaction: committed, durable and visible
 * are the same moment, a failed sync rejects, and no consumer can act on a record that a power loss would remove.
 * (Measured with one writer it is no slower than the overlapping mode.) `eventTurnBatching` is off because with it a
 * failed commit also rejects an internal promise that nothing can handle, so a full disk would end the process; every
 * write here is an explicit batch anyway.
 */
export const openLogFile = (folder: string): RootDatabase =>
  openLmdb({
    path: logFile(folder),
    maxDbs: 4,
    overlappingSync: false,
    eventTurnBatching: false,
  });

/** Size of the file, including free pages; 0 when it does not exist yet. */
export async function logFileBytes(folder: string): Promise<number> {
  try {
    return (await stat(logFile(folder))).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

export const openRecords = (root: RootDatabase): Records =>
  root.openDB<Buffer, Buffer>('records', { encoding: 'binary', keyEncoding: 'binary' });

/** LMDB counts the pages of each table itself, so no record is read. */
interface PageCounts {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** Bytes of the pages that hold records. */
export function usedBytes(records: Records): number {
  const counts = records.getStats() as PageCounts;
  const pages = counts.treeBranchPageCount + counts.treeLeafPageCount + counts.overflowPages;
  const bytes = pages * counts.pageSize;
  // The library does not type this value, and a budget compared with NaN would never be reached.
  if (!Number.isSafeInteger(bytes)) throw new Error('LMDB did not report the page count of the event log');
  return bytes;
}

const MAX_SCAN_BYTES = 4 * 1024 * 1024;

/** Offsets and bytes of a partition's records, starting at `offset`. */
function* recordsFrom(records: Records, state: PartitionState, offset: number): Generator<[number, Buffer]> {
  const start = recordKey(state, offset);
  for (const { key, value } of records.getRange({ start, end: partitionEnd(state) })) {
    for (const found of recordsIn(value, offsetOf(key))) if (found[0] >= offset) yield found;
  }
}

/**
 * Records of a partition starting at `offset`, limited by count and (except for the first) by bytes. They end before a
 * missing or damaged record, so that a reader that continues there finds the gap; when the first record is missing or
 * damaged, they start after it.
 */
export function readRecords(
  records: Records,
  state: PartitionState,
  offset: number,
  maxRecords: number,
  maxBytes: number,
): StoredRecord[] {
  const read: StoredRecord[] = [];
  let bytes = 0;
  let next = offset;
  for (const [at, stored] of recordsFrom(records, state, Math.max(offset, state.start))) {
    bytes += stored.length;
    if (read.length > 0 && (at !== next || bytes > maxBytes)) break;
    const decoded = decodeRecord(stored);
    if (decoded !== null) {
      read.push({ topic: state.topic, partition: state.partition, offset: at, ...decoded });
      next = at + 1;
    }
    if (read.length === maxRecords) break;
  }
  return read;
}

/**
 * Offset of the first of the next `maxRecords` records (or 4 MiB) that is not older than `cutoff`, Unix ms. Damaged
 * records count as older: their time cannot be trusted, and a late one would keep all later records from being deleted.
 */
export function firstNotOlder(
  records: Records,
  state: PartitionState,
  cutoff: number,
  maxRecords: number,
): number {
  let next = state.start;
  let bytes = 0;
  for (const [at, stored] of recordsFrom(records, state, state.start)) {
    bytes += stored.length;
    if (at >= state.start + maxRecords) return next;
    const timestamp = decodeTimestamp(stored);
    if (timestamp !== null && timestamp >= cutoff) return at;
    // Pass the first record in any case, or a record larger than the limit would block retention forever.
    if (bytes > MAX_SCAN_BYTES && at > state.start) return at;
    next = at + 1;
  }
  return next;
}
