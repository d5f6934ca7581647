import type { MessagePort } from 'node:worker_threads';
import type { TopicDefinition } from '../../schemas/topics.ts';
import { createAppendBatcher } from './append-batcher.ts';
import type { LogWarnings } from './embedded-consumer.ts';
import { createReading } from './embedded-reading.ts';
import { openEmbeddedStore } from './embedded-store.ts';
import { serveLog } from './embedded-threads.ts';
import type { EventLog, LogRecord } from './port.ts';
import { type PreparedRecord, prepareRecord } from './prepared-record.ts';
import { deleteOlder } from './retention.ts';

export const DEFAULT_REVOCATION_TIMEOUT_MS = 30_000;
const MIB = 1024 * 1024;

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
  readonly revocationTimeoutMs?: number;
}

export interface EmbeddedLog extends EventLog {
  /** Deletes what is older than each topic's retention; runs by itself too. Returns how many records went. */
  runRetention(): Promise<number>;
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
  const store = await openEmbeddedStore({
    path: options.path,
    topics: options.topics,
    now,
    commitDelayMs: batchDelayMs,
  });
  const batcher = createAppendBatcher<PreparedRecord>({
    write: store.write,
    bytesOf: ({ size }) => size,
    batchDelayMs,
    maxBatchRecords: options.maxBatchRecords ?? 1_000,
    maxBatchBytes: options.maxBatchBytes ?? 4 * MIB,
    maxWaitingBytes: options.maxWaitingBytes ?? 64 * MIB,
  });
  let closing: Promise<void> | null = null;
  let retention: Promise<number> | null = null;

  async function deleteExpired(): Promise<number> {
    let deleted = 0;
    for (const topic of options.topics) {
      const cutoff = now() - topic.retentionMs;
      for (const partition of store.partitions(topic.name)) {
        deleted += await deleteOlder(store, partition, cutoff, () => closing === null);
      }
    }
    return deleted;
  }

  /** One run at a time: a second call joins the first. */
  function runRetention(): Promise<number> {
    assertOpen();
    retention ??= deleteExpired().finally(() => {
      retention = null;
    });
    return retention;
  }

  const reading = createReading(store, {
    logger,
    revocationTimeoutMs: options.revocationTimeoutMs ?? DEFAULT_REVOCATION_TIMEOUT_MS,
    assertOpen,
  });
  const timer = setInterval(() => {
    runRetention().catch((error: Error) => logger.error(`deleting expired records failed: ${error.message}`));
  }, retentionIntervalMs);
  timer.unref();

  function assertOpen(): void {
    if (closing !== null) throw new Error('the event log is closed');
  }

  async function append(records: readonly LogRecord[]) {
    return batcher.append(
      records.map((record) => prepareRecord(record, store.partitions(record.topic).length)),
    );
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    await reading.stop();
    await batcher.close();
    await retention?.catch(() => undefined);
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
    serve: (port) => serveLog(port, { store, append: batcher.append, assertOpen }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
