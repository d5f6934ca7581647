import { mkdir, open as openFile } from 'node:fs/promises';
import path from 'node:path';
import { type Database, open as openLmdb, type RootDatabase } from 'lmdb';
import type { TopicDefinition } from '../../schemas/topics.ts';
import { type CommittedOffsets, createCommittedOffsets, type PutOffset } from './committed-offsets.ts';
import {
  lastEnd,
  type MetaKey,
  offsetOf,
  openTopics,
  type PartitionState,
  partitionEnd,
  recordKey,
  transact,
} from './embedded-topics.ts';
import { partitionOf } from './murmur2.ts';
import type { Appended, LogRecord, StoredRecord } from './port.ts';
import { decodeRecord, decodeTimestamp, encodeRecord } from './record-format.ts';

export interface EmbeddedStore {
  /** Throws when the topic or the partition does not exist. */
  partition(topic: string, partition: number): PartitionState;
  partitions(topic: string): readonly PartitionState[];
  /** One durable transaction. One call at a time. */
  write(records: readonly LogRecord[]): Promise<Appended[]>;
  /** Records from `offset` on, at most so many and (but for the first) so many bytes. */
  read(partition: PartitionState, offset: number, maxRecords: number, maxBytes: number): StoredRecord[];
  /** Offset of the first of the next `maxRecords` records (or 4 MiB) that is not older than `cutoff`, Unix ms. */
  firstNotOlder(partition: PartitionState, cutoff: number, maxRecords: number): number;
  /** Deletes the records below `offset`. */
  truncate(partition: PartitionState, offset: number): Promise<void>;
  readonly committed: CommittedOffsets;
  close(): Promise<void>;
}

export interface EmbeddedStoreOptions {
  /** Folder of the log; made when it is missing. */
  readonly path: string;
  readonly topics: readonly TopicDefinition[];
  readonly now: () => number;
  /** How long a committed offset waits for a transaction to ride on, ms. */
  readonly commitDelayMs: number;
}

/**
 * Opens the LMDB file. `overlappingSync` is off, so that LMDB's own commit syncs data and meta page before its
 * promise resolves and before readers see the transaction: committed, durable and visible are the same moment, a
 * failed sync rejects, and no consumer can act on a record that a power loss would take back. (Measured with one
 * writer it is no slower than the overlapping mode.) `eventTurnBatching` is off because with it a failed commit also
 * rejects a promise that nobody can reach, and a full disk would end the process; every write here is an explicit
 * batch anyway.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  await mkdir(options.path, { recursive: true });
  const file = path.join(options.path, 'log.mdb');
  const root = openLmdb({ path: file, maxDbs: 4, overlappingSync: false, eventTurnBatching: false });
  const meta = root.openDB<unknown, MetaKey>('meta', { encoding: 'json' });
  const records = root.openDB<Buffer, Buffer>('records', { encoding: 'binary', keyEncoding: 'binary' });
  try {
    const topics = await openTopics(root, meta, records, options.topics);
    await syncFolder(options.path);
    return createStore(root, meta, records, topics, options);
  } catch (error) {
    await root.close();
    throw error;
  }
}

function createStore(
  root: RootDatabase,
  meta: Database<unknown, MetaKey>,
  records: Database<Buffer, Buffer>,
  topics: ReadonlyMap<string, readonly PartitionState[]>,
  { now, commitDelayMs }: EmbeddedStoreOptions,
): EmbeddedStore {
  const putOffset: PutOffset = ([group, topic, partition], next) => {
    meta.put(['commit', group, topic, partition], next);
  };
  const committed = createCommittedOffsets(storedOffsets(meta), commitDelayMs, (put) =>
    transact(root, () => put(putOffset)),
  );

  function partitions(topic: string): readonly PartitionState[] {
    const found = topics.get(topic);
    if (found === undefined) throw new Error(`the event log has no topic "${topic}"; see schemas/topics.ts`);
    return found;
  }

  async function write(batch: readonly LogRecord[]): Promise<Appended[]> {
    const timestamp = now();
    const ends = new Map<PartitionState, number>();
    const appended: Appended[] = [];
    const puts: [Buffer, Buffer][] = [];
    for (const record of batch) {
      const all = partitions(record.topic);
      const state = all[partitionOf(record.key, all.length)]!;
      const offset = ends.get(state) ?? state.end;
      ends.set(state, offset + 1);
      puts.push([recordKey(state, offset), encodeRecord(record, timestamp)]);
      appended.push({ partition: state.partition, offset, timestamp });
    }
    let settleOffsets: (written: Promise<unknown>) => Promise<void> = () => Promise.resolve();
    const written = transact(root, () => {
      for (const [key, value] of puts) records.put(key, value);
      settleOffsets = committed.drain(putOffset);
    });
    void settleOffsets(written);
    try {
      await written;
    } catch (error) {
      // Whatever the file says is what counts: an offset that may be taken is never given to another record.
      for (const state of ends.keys()) moveEnd(state, lastEnd(records, state));
      throw error;
    }
    for (const [state, end] of ends) moveEnd(state, end);
    return appended;
  }

  function* range(state: PartitionState, offset: number, limit: number): Generator<[number, Buffer]> {
    const start = recordKey(state, offset);
    for (const { key, value } of records.getRange({ start, end: partitionEnd(state), limit })) {
      yield [offsetOf(key), value];
    }
  }

  return {
    partitions,
    partition(topic, partition) {
      const found = partitions(topic)[partition];
      if (found === undefined) throw new Error(`topic "${topic}" has no partition ${partition}`);
      return found;
    },
    write,
    read(state, offset, maxRecords, maxBytes) {
      const read: StoredRecord[] = [];
      let bytes = 0;
      for (const [at, value] of range(state, Math.max(offset, state.start), maxRecords)) {
        bytes += value.length;
        if (read.length > 0 && bytes > maxBytes) break;
        read.push({ topic: state.topic, partition: state.partition, offset: at, ...decodeRecord(value) });
      }
      return read;
    },
    firstNotOlder(state, cutoff, maxRecords) {
      let next = state.start;
      let bytes = 0;
      for (const [at, value] of range(state, state.start, maxRecords)) {
        bytes += value.length;
        if (decodeTimestamp(value) >= cutoff) return at;
        // Never before the first record is passed, or one larger than the budget would hold retention for ever.
        if (bytes > MAX_SCAN_BYTES && at > state.start) return at;
        next = at + 1;
      }
      return next;
    },
    async truncate(state, offset) {
      const from = state.start;
      // Raised first: a reader that is behind finds the hole at once, never half of a deleted range.
      state.start = offset;
      try {
        await transact(root, () => {
          for (let at = from; at < offset; at += 1) records.remove(recordKey(state, at));
          // Without it, a partition that retention emptied would begin again at 0 after the next start.
          meta.put(['floor', state.topicId, state.partition], offset);
        });
      } catch (error) {
        state.start = from;
        throw error;
      }
    },
    committed,
    async close() {
      await committed.flush();
      await root.close();
    },
  };
}

const MAX_SCAN_BYTES = 4 * 1024 * 1024;

function moveEnd(state: PartitionState, end: number): void {
  if (end === state.end) return;
  state.end = end;
  for (const listener of state.listeners) listener();
}

function* storedOffsets(meta: Database<unknown, MetaKey>): Generator<[[string, string, number], number]> {
  for (const { key, value } of meta.getRange()) {
    if (key[0] === 'commit') yield [[key[1], key[2], key[3]], value as number];
  }
}

/** A new file is only safe from a power loss when its folder entry is too. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await openFile(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
