import { createBatchLoop } from '#platform/flow/batch-loop.ts';
import { type BatchLimits, type PartitionBatch, type Producer, topUp } from './partition-queue.ts';

interface SenderOptions {
  /** Sends batches of one producer as one request and records each one's outcome. Rejects when the request failed. */
  readonly produce: (by: Producer, batches: readonly PartitionBatch[]) => Promise<void>;
  /** Minimum time between the starts of requests under load, ms; an idle sender sends at once. */
  readonly batchDelayMs: number;
  /** Limits of one request. */
  readonly limits: BatchLimits;
}

/** Sends batches to one broker. */
export interface Sender {
  /** Resolves when the broker answered for the batch; rejects when its request or the preceding one failed. */
  add(batch: PartitionBatch, by: Producer): Promise<void>;
}

interface Offer {
  readonly batch: PartitionBatch;
  readonly by: Producer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends one request at a time to one broker, for all partitions that it leads and that have something to send. While a
 * request is in flight records gather in their queues, because a request costs about the same for one batch or fifty.
 * Each broker has its own sender: one that hangs delays only the partitions it leads.
 */
export function createSender({ produce, batchDelayMs, limits }: SenderOptions): Sender {
  let offers: Offer[] = [];
  let notBefore = Number.NEGATIVE_INFINITY;

  /** Offers of one producer that fit into one request, oldest first. */
  function take(): Offer[] {
    const selected: Offer[] = [];
    const left: Offer[] = [];
    let [records, bytes] = [limits.records, limits.bytes];
    for (const offer of offers) {
      const { batch, by } = offer;
      const isFirst = selected.length === 0;
      if (records > 0 && by === (selected[0] ?? offer).by) topUp(batch, { records, bytes }, isFirst);
      const { entries } = batch;
      const fits = entries.length <= records && batch.bytes <= bytes && entries.length > 0;
      if (by === (selected[0] ?? offer).by && (isFirst || fits)) {
        selected.push(offer);
        records -= entries.length;
        bytes -= batch.bytes;
      } else left.push(offer);
    }
    offers = left;
    return selected;
  }

  async function flush(): Promise<void> {
    const startedAt = performance.now();
    const selected = take();
    // Batches that did not fit have already waited.
    const isCut = offers.length > 0 || selected.some(({ batch }) => batch.queue.waiting.length > 0);
    notBefore = isCut ? startedAt : startedAt + batchDelayMs;
    try {
      await produce(
        selected[0]!.by,
        selected.map(({ batch }) => batch),
      );
      for (const { resolve } of selected) resolve();
    } catch (error) {
      // Also rejects unsent batches in the queue: another broker may lead those partitions by now.
      for (const { reject } of [...selected, ...offers.splice(0)]) reject(error);
    }
  }

  // Waits at least until the end of the turn, so that records appended in one turn share a request.
  const wake = createBatchLoop({
    dueInMs: () => (offers.length === 0 ? null : notBefore - performance.now()),
    run: flush,
  });
  return {
    add: (batch, by) =>
      new Promise((resolve, reject) => {
        offers.push({ batch, by, resolve, reject });
        wake();
      }),
  };
}
