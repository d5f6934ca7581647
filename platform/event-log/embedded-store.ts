import { mkdir, open as openFile } from 'node:fs/promises';
import type { Database, RootDatabase } from 'lmdb';
import type { TopicDefinition } from '../../schemas/topics.ts';
import { type CommittedOffsets, createCommittedOffsets, type PutOffset } from './committed-offsets.ts';
import {
  firstNotOlder,
  openLogFile,
  openRecords,
  type Records,
  readRecords,
  usedBytes,
} from './embedded-file.ts';
import {
  lastEnd,
  type MetaKey,
  moveEnd,
  moveStart,
  openTopics,
  type PartitionFinder,
  type PartitionState,
  partitionFinder,
  recordKey,
  transact,
} from './embedded-topics.ts';
import type { Appended, StoredRecord } from './port.ts';
import type { PreparedRecord } from './prepared-record.ts';
import { stampRecord } from './record-format.ts';

export interface EmbeddedStore extends PartitionFinder {
  readonly topics: ReadonlyMap<string, readonly PartitionState[]>;
  /** One durable transaction. One call at a time. */
  write(records: readonly PreparedRecord[]): Promise<Appended[]>;
  /** Records from `offset` on, at most so many and (but for the first) so many bytes. */
  read(partition: PartitionState, offset: number, maxRecords: number, maxBytes: number): StoredRecord[];
  /** Offset of the first of the next `maxRecords` records (or 4 MiB) that is not older than `cutoff`, Unix ms. */
  firstNotOlder(partition: PartitionState, cutoff: number, maxRecords: number): number;
  /** Deletes the records below `offset`. */
  truncate(partition: PartitionState, offset: number): Promise<void>;
  /** Bytes of the file's pages that hold records now. Free pages of the file do not count: they are written again. */
  usedBytes(): number;
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

/** Opens the log's file and makes its topics. */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  await mkdir(options.path, { recursive: true });
  const root = openLogFile(options.path);
  const meta = root.openDB<unknown, MetaKey>('meta', { encoding: 'json' });
  const records = openRecords(root);
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
  records: Records,
  topics: ReadonlyMap<string, readonly PartitionState[]>,
  { now, commitDelayMs }: EmbeddedStoreOptions,
): EmbeddedStore {
  const putOffset: PutOffset = ([group, topic, partition], next) => {
    meta.put(['commit', group, topic, partition], next);
  };
  const committed = createCommittedOffsets(storedOffsets(meta), commitDelayMs, (put) =>
    transact(root, () => put(putOffset)),
  );

  const finder = partitionFinder(topics);

  async function write(batch: readonly PreparedRecord[]): Promise<Appended[]> {
    const timestamp = now();
    const ends = new Map<PartitionState, number>();
    const appended: Appended[] = [];
    const puts: [Buffer, Buffer][] = [];
    for (const record of batch) {
      const state = finder.partition(record.topic, record.partition);
      const offset = ends.get(state) ?? state.end;
      ends.set(state, offset + 1);
      stampRecord(record.bytes, timestamp);
      puts.push([recordKey(state, offset), record.bytes]);
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

  return {
    ...finder,
    topics,
    write,
    read: (state, offset, maxRecords, maxBytes) => readRecords(records, state, offset, maxRecords, maxBytes),
    firstNotOlder: (state, cutoff, maxRecords) => firstNotOlder(records, state, cutoff, maxRecords),
    async truncate(state, offset) {
      const from = state.start;
      // Raised first: a reader that is behind finds the hole at once, never half of a deleted range.
      moveStart(state, offset);
      try {
        await transact(root, () => {
          for (let at = from; at < offset; at += 1) records.remove(recordKey(state, at));
          // Without it, a partition that retention emptied would begin again at 0 after the next start.
          meta.put(['floor', state.topicId, state.partition], offset);
        });
      } catch (error) {
        moveStart(state, from);
        throw error;
      }
    },
    usedBytes: () => usedBytes(records),
    committed,
    async close() {
      await committed.flush();
      await root.close();
    },
  };
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
