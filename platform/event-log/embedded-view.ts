import type { MessagePort } from 'node:worker_threads';
import { callOver, receiveError, type SentError } from '../threads/calls.ts';
import type { CommittedOffsets } from './committed-offsets.ts';
import { DEFAULT_REVOCATION_TIMEOUT_MS } from './embedded.ts';
import type { LogWarnings } from './embedded-consumer.ts';
import { openLogFile, openRecords, readRecords } from './embedded-file.ts';
import { createReading, type ReadableLog } from './embedded-reading.ts';
import type {
  BoundsMoved,
  LogSnapshot,
  SentAppended,
  SentOffset,
  SentOutcome,
  SentRecords,
} from './embedded-threads.ts';
import { moveEnd, moveStart, type PartitionState, partitionFinder } from './embedded-topics.ts';
import {
  AppendError,
  type Appended,
  AppendFailure,
  type EventLog,
  LogFull,
  LogOverloaded,
  type LogRecord,
} from './port.ts';
import { type PreparedRecord, prepareRecord } from './prepared-record.ts';
import { createTurnBatch } from './turn-batch.ts';

export interface EmbeddedViewOptions {
  /** The other end was given to `EmbeddedLog.serve`. */
  readonly port: MessagePort;
  /** Folder of the log. */
  readonly path: string;
  readonly logger: LogWarnings;
  readonly revocationTimeoutMs?: number;
}

/**
 * The embedded log as another thread of its process sees it. All consumers of a group must be in one thread; what is
 * committed is known to both.
 */
export async function openEmbeddedView(options: EmbeddedViewOptions): Promise<EventLog> {
  const { port, logger, revocationTimeoutMs = DEFAULT_REVOCATION_TIMEOUT_MS } = options;
  const early: BoundsMoved[] = [];
  let onMoved = (message: BoundsMoved): void => void early.push(message);
  const thread = callOver(port, receiveLogError, (message) => onMoved(message as BoundsMoved));
  const snapshot = await thread.call<LogSnapshot>('open');
  const topics = new Map(snapshot.topics.map((topic) => [topic.name, statesOf(topic)]));
  const byId = new Map(snapshot.topics.map(({ id, name }) => [id, topics.get(name)!]));
  const root = openLogFile(options.path);
  const records = openRecords(root);
  onMoved = ({ moved }) => {
    // What is read from here on must not come from a snapshot that was taken before.
    records.resetReadTxn();
    for (let at = 0; at < moved.length; at += 4) {
      const state = byId.get(moved[at]!)?.[moved[at + 1]!];
      if (state === undefined) continue;
      if (moved[at + 2] !== state.start) moveStart(state, moved[at + 2]!);
      moveEnd(state, moved[at + 3]!);
    }
  };
  early.forEach(onMoved);

  let closing: Promise<void> | null = null;
  const underWay = new Set<Promise<unknown>>();
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
    const sent = sentRecords(prepared);
    const { timestamp, places } = await thread
      .call<SentAppended>('append', [sent], [sent.bytes.buffer as ArrayBuffer])
      .catch((error: Error) => {
        throw error instanceof AppendError ? error : appendError(prepared, error.message, false);
      });
    return places.map(([partition, offset]) => ({ partition, offset, timestamp }));
  };

  const close = async (): Promise<void> => {
    await reading.stop();
    await Promise.allSettled(underWay);
    thread.close();
    await root.close();
  };
  return {
    append: (given) => {
      const appending = append(given);
      underWay.add(appending);
      appending.catch(() => undefined).finally(() => underWay.delete(appending));
      return appending;
    },
    consume: reading.consume,
    read: reading.read,
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

/** The committed offsets of all groups, with those that are committed in one turn handed over together. */
function committedOver(
  known: readonly SentOffset[],
  store: (offsets: readonly SentOffset[]) => Promise<void>,
): Pick<CommittedOffsets, 'get' | 'commit'> {
  const keyOf = (group: string, topic: string, partition: number): string =>
    JSON.stringify([group, topic, partition]);
  const offsets = new Map(
    known.map(([group, topic, partition, next]) => [keyOf(group, topic, partition), next]),
  );
  const commit = createTurnBatch<SentOffset, void>(async (all) => {
    await store(all);
    for (const [group, topic, partition, next] of all) offsets.set(keyOf(group, topic, partition), next);
    return all.map(() => undefined);
  });
  return {
    get: (group, topic, partition) => offsets.get(keyOf(group, topic, partition)) ?? null,
    commit: (group, topic, partition, next) => commit([group, topic, partition, next]),
  };
}

function sentRecords(prepared: readonly PreparedRecord[]): SentRecords {
  const length = prepared.reduce((sum, { bytes }) => sum + bytes.length, 0);
  // Memory of its own, because it moves to the other thread as a whole.
  const joined = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const { bytes } of prepared) at += bytes.copy(joined, at);
  return {
    bytes: new Uint8Array(joined.buffer),
    places: prepared.map(({ topic, partition, bytes, size }) => [topic, partition, bytes.length, size]),
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
