import type { MessagePort } from 'node:worker_threads';
import { microBatch } from '#platform/flow/micro-batch.ts';
import { type Caller, callOver, receiveError, type SentError } from '#platform/threads/calls.ts';
import {
  AppendError,
  type Appended,
  AppendFailure,
  type EventLog,
  LogFull,
  LogOverloaded,
  type LogRecord,
} from '../port.ts';
import type { CommittedOffsets } from './committed-offsets.ts';
import type { LogWarnings } from './consumer.ts';
import { DEFAULT_REVOCATION_TIMEOUT_MS } from './event-log.ts';
import { openLogFile, openRecords, type Records, readRecords } from './file.ts';
import { type PreparedRecord, prepareRecord } from './prepared-record.ts';
import { createReading, type ReadableLog } from './reading.ts';
import type {
  BoundsMoved,
  LogSnapshot,
  SentAppended,
  SentOffset,
  SentOutcome,
  SentRecords,
} from './threads.ts';
import { moveEnd, moveStart, type PartitionState, partitionFinder } from './topics.ts';

interface EmbeddedViewOptions {
  /** Its other end was passed to `EmbeddedLog.serve`. */
  readonly port: MessagePort;
  /** Folder of the log. */
  readonly path: string;
  readonly logger: LogWarnings;
  readonly revocationTimeoutMs?: number;
}

/**
 * The embedded log as used from another thread of its process. All consumers of a group must be in one thread; commits
 * are visible in both.
 */
export async function openEmbeddedView(options: EmbeddedViewOptions): Promise<EventLog> {
  const { port, logger, revocationTimeoutMs = DEFAULT_REVOCATION_TIMEOUT_MS } = options;
  const { thread, onMoved } = connect(port);
  const snapshot = await thread.call<LogSnapshot>('open');
  const topics = new Map(snapshot.topics.map((topic) => [topic.name, statesOf(topic)]));
  const root = openLogFile(options.path);
  const records = openRecords(root);
  onMoved(followBounds(snapshot, topics, records));

  let closing: Promise<void> | null = null;
  const inFlight = new Set<Promise<unknown>>();
  const assertOpen = (): void => {
    if (closing !== null) throw new Error('the event log is closed');
  };
  const log: ReadableLog = {
    ...partitionFinder(topics),
    read: (state, offset, maxRecords, maxBytes) => readRecords(records, state, offset, maxRecords, maxBytes),
    committed: committedOver(snapshot.committed, (offsets) => thread.call('commit', [offsets])),
  };
  const reading = createReading(log, { logger, revocationTimeoutMs, assertOpen });

  const append = async (given: readonly LogRecord[]): Promise<Appended[]> => {
    if (given.length === 0) return [];
    const prepared = given.map((record) => prepareRecord(record, log.partitions(record.topic).length));
    if (closing !== null) throw appendError(prepared, 'the event log is closed', true);
    return appendOver(thread, prepared);
  };

  const close = async (): Promise<void> => {
    await reading.stop();
    await Promise.allSettled(inFlight);
    thread.close();
    await root.close();
  };
  return {
    append: (given) => {
      const appending = append(given);
      inFlight.add(appending);
      appending.catch(() => undefined).finally(() => inFlight.delete(appending));
      return appending;
    },
    consume: reading.consume,
    tail: reading.tail,
    read: reading.read,
    readFrom: reading.readFrom,
    bounds: reading.bounds,
    lag: reading.lag,
    members: reading.members,
    async ping() {
      assertOpen();
      await thread.call('ping');
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Calls to the log's own thread. Changes of bounds are kept until there is a listener. */
function connect(port: MessagePort) {
  const early: BoundsMoved[] = [];
  let take = (message: BoundsMoved): void => void early.push(message);
  const thread = callOver(port, receiveLogError, (message) => take(message as BoundsMoved));
  const onMoved = (follow: (message: BoundsMoved) => void): void => {
    take = follow;
    early.forEach(follow);
  };
  return { thread, onMoved };
}

function followBounds(
  snapshot: LogSnapshot,
  topics: ReadonlyMap<string, readonly PartitionState[]>,
  records: Records,
): (message: BoundsMoved) => void {
  const byId = new Map(snapshot.topics.map(({ id, name }) => [id, topics.get(name)!]));
  return ({ moved }) => {
    // Later reads must not use an older snapshot.
    records.resetReadTxn();
    for (let at = 0; at < moved.length; at += 4) {
      const state = byId.get(moved[at]!)?.[moved[at + 1]!];
      if (state === undefined) continue;
      if (moved[at + 2] !== state.start) moveStart(state, moved[at + 2]!);
      moveEnd(state, moved[at + 3]!);
    }
  };
}

async function appendOver(thread: Caller, prepared: readonly PreparedRecord[]): Promise<Appended[]> {
  const sent = sentRecords(prepared);
  const { timestamp, positions } = await thread
    .call<SentAppended>('append', [sent], [sent.bytes.buffer as ArrayBuffer])
    .catch((error: Error) => {
      throw error instanceof AppendError ? error : appendError(prepared, error.message, false);
    });
  return positions.map(([partition, offset]) => ({ partition, offset, timestamp }));
}

function statesOf({ name, id, bounds }: LogSnapshot['topics'][number]): PartitionState[] {
  return bounds.map(([start, end], partition) => ({
    topic: name,
    topicId: id,
    partition,
    start,
    end,
    listeners: new Set(),
  }));
}

/** The committed offsets of all groups; commits of one turn are forwarded together. */
function committedOver(
  known: readonly SentOffset[],
  store: (offsets: readonly SentOffset[]) => Promise<void>,
): Pick<CommittedOffsets, 'get' | 'commit'> {
  const keyOf = (group: string, topic: string, partition: number): string =>
    JSON.stringify([group, topic, partition]);
  const offsets = new Map(
    known.map(([group, topic, partition, next]) => [keyOf(group, topic, partition), next]),
  );
  const commit = microBatch<SentOffset, void>(
    async (all) => {
      await store(all);
      for (const [group, topic, partition, next] of all) offsets.set(keyOf(group, topic, partition), next);
      return all.map(() => undefined);
    },
    { concurrency: Infinity },
  );
  return {
    get: (group, topic, partition) => offsets.get(keyOf(group, topic, partition)) ?? null,
    commit: (group, topic, partition, next) => commit([group, topic, partition, next]),
  };
}

function sentRecords(prepared: readonly PreparedRecord[]): SentRecords {
  const length = prepared.reduce((sum, { bytes }) => sum + bytes.length, 0);
  // Not from Node's pool, because the whole buffer is transferred to the other thread.
  const joined = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const { bytes } of prepared) at += bytes.copy(joined, at);
  return {
    bytes: new Uint8Array(joined.buffer),
    layout: prepared.map(({ topic, partition, bytes, size }) => [topic, partition, bytes.length, size]),
  };
}

function receiveLogError(error: SentError): Error {
  if (error.name !== 'AppendError') return receiveError(error);
  const outcomes = (error.detail as readonly SentOutcome[]).map((outcome) => {
    if (!('certain' in outcome)) return outcome;
    if (outcome.name === 'LogFull') return new LogFull(outcome.message);
    return outcome.name === 'LogOverloaded'
      ? new LogOverloaded()
      : new AppendFailure(outcome.message, outcome.certain);
  });
  return new AppendError(error.message, outcomes, {
    cause: outcomes.find((outcome) => outcome instanceof AppendFailure),
  });
}

function appendError(records: readonly unknown[], message: string, certain: boolean): AppendError {
  return new AppendError(
    `${records.length} of ${records.length} records were not appended: ${message}`,
    records.map(() => new AppendFailure(message, certain)),
  );
}
