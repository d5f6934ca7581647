import type { MessagePort } from 'node:worker_threads';
import type { TopicDefinition } from '#schemas/topics.ts';
import { refuse } from '../append-intake.ts';
import { type EventLog, LogFull } from '../port.ts';
import { createAppendBatcher } from './append-batcher.ts';
import { createLogBudget, type LogUsage } from './budget.ts';
import type { LogWarnings } from './consumer.ts';
import { type PreparedRecord, prepareRecord } from './prepared-record.ts';
import { createReading } from './reading.ts';
import { startDeletion } from './retention.ts';
import { openEmbeddedStore } from './store.ts';
import { serveLog } from './threads.ts';

export const DEFAULT_REVOCATION_TIMEOUT_MS = 30_000;
const MIB = 1024 * 1024;
/** Limit on bytes queued or being written; appends beyond it are refused. */
const MAX_WAITING_BYTES = 64 * MIB;

export interface EmbeddedLogOptions {
  /** Folder of the log's file; created if missing. The caller holds the data folder's lock (`lock.ts`). */
  readonly path: string;
  readonly topics: readonly TopicDefinition[];
  readonly now?: () => number;
  readonly logger?: LogWarnings;
  /** Interval between the starts of writes under load, ms. */
  readonly batchDelayMs?: number;
  readonly maxBatchRecords?: number;
  readonly maxBatchBytes?: number;
  /** Limit on bytes queued or being written; appends beyond it are refused with `LogOverloaded`. */
  readonly maxWaitingBytes?: number;
  readonly retentionIntervalMs?: number;
  /** Limit on the bytes of pages that hold records; without it records are deleted only by age. */
  readonly maxBytes?: number;
  /** How often usage is checked against that limit, ms. */
  readonly budgetIntervalMs?: number;
  /** Why clients' records are refused regardless of the log's size; null when they are accepted. */
  readonly shortage?: () => string | null;
  readonly revocationTimeoutMs?: number;
}

export interface EmbeddedLog extends EventLog {
  /**
   * Deletes records that are older than their topic's retention or exceed the budget. Also runs periodically. Returns
   * the number of records deleted.
   */
  runRetention(): Promise<number>;
  usage(): LogUsage;
  /** Lets another thread of this process use the log, through `openEmbeddedView` at the other end of the port. */
  serve(port: MessagePort): void;
}

const sizeOf = (records: readonly PreparedRecord[]): number =>
  records.reduce((sum, { size }) => sum + size, 0);

const SILENT: LogWarnings = { warn: () => undefined, error: () => undefined };

/**
 * Opens the event log of one process on LMDB. Refuses, with instructions, a topic that was created with a different
 * partition count. Handlers of a consumer are first called after `consume` has resolved.
 */
export async function openEmbeddedLog(options: EmbeddedLogOptions): Promise<EmbeddedLog> {
  const { path, topics, now = Date.now, logger = SILENT, batchDelayMs = 12 } = options;
  const { maxBytes = Number.MAX_SAFE_INTEGER, shortage = () => null } = options;
  const store = await openEmbeddedStore({ path, topics, now, commitDelayMs: batchDelayMs });
  const budget = createLogBudget(store, { topics, maxBytes, shortage });
  const batcher = createAppendBatcher<PreparedRecord>({
    write: (records) => store.write(records).finally(() => budget.wrote(sizeOf(records))),
    bytesOf: ({ size }) => size,
    batchDelayMs,
    maxBatchRecords: options.maxBatchRecords ?? 1_000,
    maxBatchBytes: options.maxBatchBytes ?? 4 * MIB,
    maxWaitingBytes: options.maxWaitingBytes ?? MAX_WAITING_BYTES,
  });
  const deletion = startDeletion({ ...options, now, logger, store, budget });
  let closing: Promise<void> | null = null;
  const assertOpen = (): void => {
    if (closing !== null) throw new Error('the event log is closed');
  };
  const { revocationTimeoutMs = DEFAULT_REVOCATION_TIMEOUT_MS } = options;
  const reading = createReading(store, { logger, revocationTimeoutMs, assertOpen });

  /** Appends of all threads pass through here. */
  async function take(records: readonly PreparedRecord[]) {
    const reason = budget.refusal(records, batcher.waitingBytes());
    if (reason !== null) return refuse(records, new LogFull(reason));
    return batcher.append(records);
  }

  async function close(): Promise<void> {
    deletion.stop();
    await reading.stop();
    await batcher.close();
    await deletion.idle();
    await store.close();
  }

  return {
    append: async (records) =>
      take(records.map((record) => prepareRecord(record, store.partitions(record.topic).length))),
    consume: reading.consume,
    tail: reading.tail,
    read: reading.read,
    readFrom: reading.readFrom,
    bounds: reading.bounds,
    lag: reading.lag,
    members: reading.members,
    async ping() {
      assertOpen();
    },
    async runRetention() {
      assertOpen();
      return deletion.run();
    },
    usage: budget.usage,
    serve: (port) => serveLog(port, { store, append: take, assertOpen }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
