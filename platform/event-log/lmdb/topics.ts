import type { Database, RootDatabase } from 'lmdb';
import type { TopicDefinition } from '#schemas/topics.ts';

/** 2: records have checksums and may be in blocks. Logs of format 1 can be read; opening one turns it into format 2. */
const FORMAT = 2;
const READABLE_FORMATS: readonly unknown[] = [1, FORMAT];
const KEY_BYTES = 12;

/** One partition: its durable and readable range. */
export interface PartitionState {
  readonly topic: string;
  readonly topicId: number;
  readonly partition: number;
  start: number;
  end: number;
  /** Called after `end` or `start` moved. */
  readonly listeners: Set<() => void>;
}

/** Finds partitions by name. Both throw for an unknown topic or partition. */
export interface PartitionFinder {
  partition(topic: string, partition: number): PartitionState;
  partitions(topic: string): readonly PartitionState[];
}

export function partitionFinder(topics: ReadonlyMap<string, readonly PartitionState[]>): PartitionFinder {
  const partitions = (topic: string): readonly PartitionState[] => {
    const found = topics.get(topic);
    if (found === undefined) throw new Error(`the event log has no topic "${topic}"; see schemas/topics.ts`);
    return found;
  };
  return {
    partitions,
    partition: (topic, partition) => {
      const found = partitions(topic)[partition];
      if (found === undefined) throw new Error(`topic "${topic}" has no partition ${partition}`);
      return found;
    },
  };
}

/** Everything but the records: topics, first offsets after deletions, committed offsets. */
export type MetaKey =
  | ['format']
  | ['topic', string]
  | ['floor', number, number]
  | ['commit', string, string, number];
interface StoredTopic {
  readonly id: number;
  readonly partitions: number;
}

/**
 * Creates or finds the topics. Rejects when one was created with a different partition count, or when the file has
 * another format.
 */
export async function openTopics(
  root: RootDatabase,
  meta: Database<unknown, MetaKey>,
  records: Database<Buffer, Buffer>,
  definitions: readonly TopicDefinition[],
): Promise<Map<string, PartitionState[]>> {
  const format = meta.get(['format']);
  if (format !== undefined && !READABLE_FORMATS.includes(format)) {
    throw new Error(
      `the event log has format ${format}, but this version reads ${FORMAT}; run the version that wrote it`,
    );
  }
  let nextId = 1;
  for (const { key, value } of meta.getRange()) {
    if (key[0] === 'topic') nextId = Math.max(nextId, (value as StoredTopic).id + 1);
  }
  const stored = new Map<TopicDefinition, StoredTopic>();
  for (const definition of definitions) {
    const known = meta.get(['topic', definition.name]) as StoredTopic | undefined;
    if (known !== undefined && known.partitions !== definition.partitions) {
      throw new Error(
        `topic "${definition.name}" was created with ${known.partitions} partitions but is now defined with ${definition.partitions}. ` +
          'Keys would move to other partitions, so the log was not opened. Restore the definition, or start with an empty log.',
      );
    }
    stored.set(definition, known ?? { id: nextId++, partitions: definition.partitions });
  }
  // Written at every start, even without changes: this commit syncs data that a killed process may have left only in
  // the page cache, before it is read.
  await transact(root, () => {
    meta.put(['format'], FORMAT);
    for (const [definition, topic] of stored) meta.put(['topic', definition.name], topic);
  });
  const topics = new Map<string, PartitionState[]>();
  for (const [{ name, partitions }, { id }] of stored) {
    topics.set(
      name,
      Array.from({ length: partitions }, (_, partition) => openPartition(meta, records, name, id, partition)),
    );
  }
  return topics;
}

function openPartition(
  meta: Database<unknown, MetaKey>,
  records: Database<Buffer, Buffer>,
  topic: string,
  topicId: number,
  partition: number,
): PartitionState {
  const start = (meta.get(['floor', topicId, partition]) as number | undefined) ?? 0;
  const state = { topic, topicId, partition, start, end: start, listeners: new Set<() => void>() };
  state.end = lastEnd(records, state);
  return state;
}

/** Offset after the last stored record, which may be one of several under the last key. */
export function lastEnd(records: Database<Buffer, Buffer>, state: PartitionState): number {
  // Exclusive end: the bare prefix, which sorts before offset 0.
  const end = recordKey(state, 0).subarray(0, 4);
  const range = { start: partitionEnd(state), end, reverse: true, limit: 1 };
  for (const key of records.getKeys(range)) return Math.max(offsetOf(key) + 1, state.start);
  return state.start;
}

/** Runs `action` as one atomic transaction on LMDB's writer thread; resolves when it is on disk. */
export async function transact(root: RootDatabase, action: () => void): Promise<void> {
  try {
    await root.batch(action);
  } catch (error) {
    const cause = await (error as CommitError).commitError?.catch((each: unknown) => each);
    throw new Error('cannot write the event log; check the disk and its free space', {
      cause: cause ?? error,
    });
  }
}

/** LMDB's error for a failed commit carries its cause as a promise that rejects. */
interface CommitError extends Error {
  readonly commitError?: Promise<never>;
}

/** Big-endian topic id, partition, offset: LMDB's byte order is the order of the log. */
export function recordKey(state: PartitionState, offset: number): Buffer {
  const key = Buffer.allocUnsafe(KEY_BYTES);
  key.writeUInt16BE(state.topicId, 0);
  key.writeUInt16BE(state.partition, 2);
  key.writeUInt32BE(Math.floor(offset / 0x1_0000_0000), 4);
  key.writeUInt32BE(offset % 0x1_0000_0000, 8);
  return key;
}

export const partitionEnd = (state: PartitionState): Buffer => recordKey(state, Number.MAX_SAFE_INTEGER);

export function offsetOf(key: Uint8Array): number {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  return bytes.readUInt32BE(4) * 0x1_0000_0000 + bytes.readUInt32BE(8);
}

export function moveStart(state: PartitionState, start: number): void {
  state.start = start;
  for (const listener of state.listeners) listener();
}

export function moveEnd(state: PartitionState, end: number): void {
  if (end === state.end) return;
  state.end = end;
  for (const listener of state.listeners) listener();
}
