import { createSerialQueue } from '#platform/flow/serial-queue.ts';
import { singleFlight } from '#platform/flow/single-flight.ts';
import type { TopicDefinition } from '#schemas/topics.ts';
import type { LogBudget } from './budget.ts';
import type { LogWarnings } from './consumer.ts';
import type { EmbeddedStore } from './store.ts';
import type { PartitionState } from './topics.ts';

/** Maximum number of records per deleting transaction, so that appends never wait long for the only writer. */
const CHUNK_RECORDS = 500;

interface DeletionOptions {
  readonly store: EmbeddedStore;
  readonly budget: Pick<LogBudget, 'isAboveTrim' | 'trim'>;
  readonly topics: readonly TopicDefinition[];
  readonly now: () => number;
  readonly logger: LogWarnings;
  readonly retentionIntervalMs?: number;
  readonly budgetIntervalMs?: number;
}

interface Deletion {
  /** Deletes the records that are due now. Returns their number. */
  run(): Promise<number>;
  /** Starts no more deletions, and stops after the transaction in flight. */
  stop(): void;
  /** Resolves when no deletion is running; never rejects. */
  idle(): Promise<void>;
}

/** Deletes records that are too old or exceed the budget, periodically and on demand. */
export function startDeletion(options: DeletionOptions): Deletion {
  const {
    store,
    budget,
    topics,
    now,
    logger,
    retentionIntervalMs = 600_000,
    budgetIntervalMs = 250,
  } = options;
  let stopped = false;
  const shouldContinue = (): boolean => !stopped;
  /** All deletions move the same start offsets, so they run one at a time, in the order of the calls. */
  const deletions = createSerialQueue();

  async function deleteExpired(): Promise<number> {
    let deleted = 0;
    for (const topic of topics) {
      const cutoff = now() - topic.retentionMs;
      for (const partition of store.partitions(topic.name))
        deleted += await deleteOlder(store, partition, cutoff, shouldContinue);
    }
    return deleted;
  }

  const expire = singleFlight(() => deletions.run(deleteExpired));
  const trim = singleFlight(() => deletions.run(() => budget.trim(shouldContinue)));
  const run = async (): Promise<number> => {
    const expired = await expire();
    return expired + (await trim());
  };

  const failed = (error: Error): void =>
    logger.error({ reason: error.message }, 'failed to delete expired records; retrying');
  const timers = [
    setInterval(() => void run().catch(failed), retentionIntervalMs),
    // Commits make records deletable without any append, hence a separate timer.
    setInterval(() => {
      if (budget.isAboveTrim()) void trim().catch(failed);
    }, budgetIntervalMs),
  ];
  for (const timer of timers) timer.unref();
  return {
    run,
    stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
    },
    idle: deletions.idle,
  };
}

/**
 * Deletes records older than `cutoff` (Unix ms) from the start of a partition, chunk by chunk, up to the first one that
 * is not. Returns how many offsets were freed. The file does not shrink; its pages are reused.
 */
async function deleteOlder(
  store: EmbeddedStore,
  partition: PartitionState,
  cutoff: number,
  shouldContinue: () => boolean,
): Promise<number> {
  const from = partition.start;
  while (shouldContinue() && partition.start < partition.end) {
    const keep = store.firstNotOlder(partition, cutoff, CHUNK_RECORDS);
    if (keep === partition.start) break;
    await store.truncate(partition, keep);
  }
  return partition.start - from;
}
