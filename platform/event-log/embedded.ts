import type { MessagePort } from 'node:worker_threads';
import type { TopicDefinition } from '../../schemas/topics.ts';
import { createAppendBatcher } from './append-batcher.ts';
import { refuse } from './append-call.ts';
import { createLogBudget, type LogUsage } from './embedded-budget.ts';
import type { LogWarnings } from './embedded-consumer.ts';
import { createReading } from './embedded-reading.ts';
import { openEmbeddedStore } from './embedded-store.ts';
import { serveLog } from './embedded-threads.ts';
import { type EventLog, LogFull, type LogRecord } from './port.ts';
import { type PreparedRecord, prepareRecord } from './prepared-record.ts';
import { deleteOlder } from './retention.ts';

export const DEFAULT_REVOCATION_TIMEOUT_MS = 30_000;
const MIB = 1024 * 1024;
/** Records that wait to be durable; what comes on top is refused. */
const MAX_WAITING_BYTES = 64 * MIB;

export interface EmbeddedLogOptions {
  /** Folder of the log's file; made when it is missing. The caller holds the data folder's lock (`lock.ts`). */
  readonly path: string;
  readonly topics: readonly TopicDefinition[];
  readonly now?: () => number;
  readonly logger?: LogWarnings;
  /** Under load a write begins this often, ms. */
  readonly batchDelayMs?: number;
  readonly maxBatchRecords?: number;
  readonly maxBatchBytes?: number;
  /** Bytes that may wait to be durable; more is refused with `LogOverloaded`. */
  readonly maxWaitingBytes?: number;
  readonly retentionIntervalMs?: number;
  /** Bytes of pages that may hold records; without it only age limits what is kept. */
  readonly maxBytes?: number;
  /** How often it is looked whether something must go for that. */
  readonly budgetIntervalMs?: number;
  /** Why clients' records are refused whatever the log holds; null: they are taken. */
  readonly shortage?: () => string | null;
  readonly revocationTimeoutMs?: number;
}

export interface EmbeddedLog extends EventLog {
  /**
   * Deletes what is older than each topic's retention, and what the budget leaves no room for. Runs by itself too. Returns
   * how many records went.
   */
  runRetention(): Promise<number>;
  usage(): LogUsage;
  /** Lets another thread of this process use the log: `openEmbeddedView` at the other end of the port. */
  serve(port: MessagePort): void;
}

const SILENT: LogWarnings = { warn: () => undefined, error: () => undefined };

/**
 * Opens the event log of one process on LMDB. Refuses, with what to do, when a topic was made with another
 * partition count. Handlers of a consumer are first called after `consume` has resolved.
 */
export async function openEmbeddedLog(options: EmbeddedLogOptions): Promise<EmbeddedLog> {
  const { now = Date.now, logger = SILENT, batchDelayMs = 12, retentionIntervalMs = 600_000 } = options;
  const { maxBytes = Number.MAX_SAFE_INTEGER, shortage = () => null, budgetIntervalMs = 250 } = options;
  const store = await openEmbeddedStore({
    path: options.path,
    topics: options.topics,
    now,
    commitDelayMs: batchDelayMs,
  });
  const budget = createLogBudget(store, { topics: options.topics, maxBytes, shortage });
  const batcher = createAppendBatcher<PreparedRecord>({
    write: (records) => store.write(records).finally(budget.measure),
    bytesOf: ({ size }) => size,
    batchDelayMs,
    maxBatchRecords: options.maxBatchRecords ?? 1_000,
    maxBatchBytes: options.maxBatchBytes ?? 4 * MIB,
    maxWaitingBytes: options.maxWaitingBytes ?? MAX_WAITING_BYTES,
  });
  let closing: Promise<void> | null = null;
  const isOpen = (): boolean => closing === null;
  const deleting = oneAtATime();

  async function deleteExpired(): Promise<number> {
    let deleted = 0;
    for (const topic of options.topics) {
      const cutoff = now() - topic.retentionMs;
      for (const partition of store.partitions(topic.name)) {
        deleted += await deleteOlder(store, partition, cutoff, isOpen);
      }
    }
    return deleted;
  }

  /** A second call joins the first. */
  const expire = joined(() => deleting.run(deleteExpired));
  const trim = joined(() => deleting.run(() => budget.trim(isOpen)));

  async function runRetention(): Promise<number> {
    assertOpen();
    const expired = await expire();
    return expired + (await trim());
  }

  const reading = createReading(store, {
    logger,
    revocationTimeoutMs: options.revocationTimeoutMs ?? DEFAULT_REVOCATION_TIMEOUT_MS,
    assertOpen,
  });
  const failed = (error: Error): void => logger.error(`deleting records failed: ${error.message}`);
  const timers = [
    setInterval(() => void runRetention().catch(failed), retentionIntervalMs),
    // Commits make records spare without any append, so this is looked at by itself.
    setInterval(() => {
      if (budget.isAboveTrim()) void trim().catch(failed);
    }, budgetIntervalMs),
  ];
  for (const timer of timers) timer.unref();

  function assertOpen(): void {
    if (closing !== null) throw new Error('the event log is closed');
  }

  /** What every append of every thread passes through. */
  async function take(records: readonly PreparedRecord[]) {
    const reason = budget.refusal(records, batcher.waitingBytes());
    if (reason !== null) return refuse(records, new LogFull(reason));
    return batcher.append(records);
  }

  async function append(records: readonly LogRecord[]) {
    return take(records.map((record) => prepareRecord(record, store.partitions(record.topic).length)));
  }

  async function close(): Promise<void> {
    for (const timer of timers) clearInterval(timer);
    await reading.stop();
    await batcher.close();
    await deleting.idle();
    await store.close();
  }

  return {
    append,
    consume: reading.consume,
    read: reading.read,
    bounds: reading.bounds,
    lag: reading.lag,
    members: reading.members,
    async ping() {
      assertOpen();
    },
    runRetention,
    usage: budget.usage,
    serve: (port) => serveLog(port, { store, append: take, assertOpen }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Deletions of one log, which move the same first offsets: one at a time, in the order of the calls. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run<Result>(work: () => Promise<Result>): Promise<Result> {
      const running = last.then(work);
      last = running.catch(() => undefined);
      return running;
    },
    /** Resolves when nothing runs; rejects never. */
    idle: async (): Promise<void> => void (await last),
  };
}

/** While a run is under way, every further call is answered with it. */
function joined<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  return () => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
}
