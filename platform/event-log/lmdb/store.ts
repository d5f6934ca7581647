import { mkdir, open as openFile } from 'node:fs/promises';
import type { Database, RootDatabase } from 'lmdb';
import { checkLmdbFile } from '#platform/data-folder/lmdb-file.ts';
import type { TopicDefinition } from '#schemas/topics.ts';
import type { Appended, StoredRecord } from '../port.ts';
import { type CommittedOffsets, createCommittedOffsets, type PutOffset } from './committed-offsets.ts';
import {
  firstNotOlder,
  logFile,
  openLogFile,
  openRecords,
  type Records,
  readRecords,
  usedBytes,
} from './file.ts';
import type { PreparedRecord } from './prepared-record.ts';
import { stampRecord } from './record-format.ts';
import { applyExtension, extendTail, findTail, type Tail } from './tail.ts';
import {
  lastEnd,
  type MetaKey,
  moveEnd,
  moveStart,
  offsetOf,
  openTopics,
  type PartitionFinder,
  type PartitionState,
  partitionFinder,
  recordKey,
  transact,
} from './topics.ts';

interface EmbeddedStoreOptions {
  /** Folder of the log; created if missing. */
  readonly path: string;
  readonly topics: readonly TopicDefinition[];
  readonly now: () => number;
  /** How long a committed offset waits for a transaction to join, ms. */
  readonly commitDelayMs: number;
}

interface OpenFile {
  readonly root: RootDatabase;
  readonly meta: Database<unknown, MetaKey>;
  readonly records: Records;
}

/** Opens the log's file and creates its topics. */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  await mkdir(options.path, { recursive: true });
  checkLmdbFile(logFile(options.path));
  const root = openLogFile(options.path);
  const meta = root.openDB<unknown, MetaKey>('meta', { encoding: 'json' });
  const records = openRecords(root);
  try {
    const topics = await openTopics(root, meta, records, options.topics);
    await syncFolder(options.path);
    return new EmbeddedStore({ root, meta, records }, topics, options);
  } catch (error) {
    await root.close();
    throw error;
  }
}

export class EmbeddedStore implements PartitionFinder {
  readonly topics: ReadonlyMap<string, readonly PartitionState[]>;
  readonly partition: PartitionFinder['partition'];
  readonly partitions: PartitionFinder['partitions'];
  readonly committed: CommittedOffsets;
  readonly #file: OpenFile;
  readonly #now: () => number;
  /** For the partitions appended to since the log was opened. */
  readonly #tails = new Map<PartitionState, Tail>();

  constructor(
    file: OpenFile,
    topics: ReadonlyMap<string, readonly PartitionState[]>,
    { now, commitDelayMs }: EmbeddedStoreOptions,
  ) {
    const finder = partitionFinder(topics);
    this.topics = topics;
    this.partition = finder.partition;
    this.partitions = finder.partitions;
    this.#file = file;
    this.#now = now;
    this.committed = createCommittedOffsets(storedOffsets(file.meta), commitDelayMs, (put) =>
      transact(file.root, () => put(this.#putOffset)),
    );
  }

  /** Writes one durable transaction. Only one call at a time. */
  async write(batch: readonly PreparedRecord[]): Promise<Appended[]> {
    const { root, records } = this.#file;
    const timestamp = this.#now();
    const added = new Map<PartitionState, Buffer[]>();
    const appended: Appended[] = [];
    for (const record of batch) {
      const state = this.partition(record.topic, record.partition);
      const before = added.get(state) ?? [];
      if (before.length === 0) added.set(state, before);
      stampRecord(record.bytes, timestamp);
      appended.push({ partition: state.partition, offset: state.end + before.length, timestamp });
      before.push(record.bytes);
    }
    const extensions = [...added].map(([state, bytes]) =>
      extendTail(records, state, this.#tails.get(state) ?? findTail(records, state), bytes),
    );
    let settleOffsets: (written: Promise<unknown>) => Promise<void> = () => Promise.resolve();
    const written = transact(root, () => {
      for (const extension of extensions) applyExtension(records, extension);
      settleOffsets = this.committed.drain(this.#putOffset);
    });
    void settleOffsets(written);
    try {
      await written;
    } catch (error) {
      // The file is the reference: an offset that may be in use is never assigned to another record.
      for (const state of added.keys()) {
        moveEnd(state, lastEnd(records, state));
        this.#tails.delete(state);
      }
      throw error;
    }
    for (const { state, tail } of extensions) {
      this.#tails.set(state, tail);
      moveEnd(state, state.end + added.get(state)!.length);
    }
    return appended;
  }

  /** Records starting at `offset`, limited by count and (except for the first) by bytes. */
  read(state: PartitionState, offset: number, maxRecords: number, maxBytes: number): StoredRecord[] {
    return readRecords(this.#file.records, state, offset, maxRecords, maxBytes);
  }

  /** Offset of the first of the next `maxRecords` records (or 4 MiB) that is not older than `cutoff`, Unix ms. */
  firstNotOlder(state: PartitionState, cutoff: number, maxRecords: number): number {
    return firstNotOlder(this.#file.records, state, cutoff, maxRecords);
  }

  /** Deletes the records below `offset`. A block that also holds later ones stays until those are deleted as well. */
  async truncate(state: PartitionState, offset: number): Promise<void> {
    const { root, meta, records } = this.#file;
    const from = state.start;
    // From the partition's first key, not its start: a block may have been made from deleted records meanwhile.
    const range = { start: recordKey(state, 0), end: recordKey(state, offset) };
    const stored = [...records.getKeys(range)].map(offsetOf);
    // Move the start first: a lagging reader then sees the whole gap at once, never part of a deleted range.
    moveStart(state, offset);
    try {
      await transact(root, () => {
        for (const at of stored) records.remove(recordKey(state, at));
        // Without it, a partition emptied by retention would start at 0 again after a restart.
        meta.put(['floor', state.topicId, state.partition], offset);
      });
    } catch (error) {
      moveStart(state, from);
      throw error;
    }
  }

  /** Bytes of the file's pages that hold records now. Free pages do not count: they are reused. */
  usedBytes(): number {
    return usedBytes(this.#file.records);
  }

  async close(): Promise<void> {
    await this.committed.flush();
    await this.#file.root.close();
  }

  readonly #putOffset: PutOffset = ([group, topic, partition], next) => {
    this.#file.meta.put(['commit', group, topic, partition], next);
  };
}

function* storedOffsets(meta: Database<unknown, MetaKey>): Generator<[[string, string, number], number]> {
  for (const { key, value } of meta.getRange()) {
    if (key[0] === 'commit') yield [[key[1], key[2], key[3]], value as number];
  }
}

/** A new file survives a power loss only once its folder entry is flushed too. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await openFile(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
