import { createBatchLoop } from '#platform/flow/batch-loop.ts';
import { type BatchLimits, type PartitionBatch, type Producer, topUp } from './partition-queue.ts';

interface SenderOptions {
  /** Sends batches of one producer as one request and records each one's outcome. Rejects when the request failed. */
  readonly produce: (by: Producer, batches: readonly PartitionBatch[]) => Promise<void>;
  /** Requests begin at least this far apart under load, ms; an idle sender sends at once. */
  readonly batchDelayMs: number;
  /** Limits of one request. */
  readonly limits: BatchLimits;
}

/** Sends batches to one broker. */
export interface Sender {
  /** Resolves when the broker answered for the batch; rejects when its request failed, or the one before it. */
  add(batch: PartitionBatch, by: Producer): Promise<void>;
}

interface Offer {
  readonly batch: PartitionBatch;
  readonly by: Producer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One request at a time to one broker, for all partitions that it leads and that have something to send. While one is
 * in flight records gather in their queues, because each request costs about the same whether it carries one or fifty.
 * Each broker has a sender of its own: one that hangs holds up what it leads and nothing else.
 */
export function createSender({ produce, batchDelayMs, limits }: SenderOptions): Sender {
  let offers: Offer[] = [];
  let notBefore = Number.NEGATIVE_INFINITY;

  /** Offers of one producer that fit into one request, oldest first. */
  function take(): Offer[] {
    const taken: Offer[] = [];
    const left: Offer[] = [];
    let [records, bytes] = [limits.records, limits.bytes];
    for (const offer of offers) {
      const { batch, by } = offer;
      const isFirst = taken.length === 0;
      if (records > 0 && by === (taken[0] ?? offer).by) topUp(batch, { records, bytes }, isFirst);
      const { entries } = batch;
      const fits = entries.length <= records && batch.bytes <= bytes && entries.length > 0;
      if (by === (taken[0] ?? offer).by && (isFirst || fits)) {
        taken.push(offer);
        records -= entries.length;
        bytes -= batch.bytes;
      } else left.push(offer);
    }
    offers = left;
    return taken;
  }

  async function flush(): Promise<void> {
    const startedAt = performance.now();
    const taken = take();
    // What did not fit has already waited.
    const isCut = offers.length > 0 || taken.some(({ batch }) => batch.queue.waiting.length > 0);
    notBefore = isCut ? startedAt : startedAt + batchDelayMs;
    try {
      await produce(
        taken[0]!.by,
        taken.map(({ batch }) => batch),
      );
      for (const { resolve } of taken) resolve();
    } catch (error) {
      // Also what is queued behind it, unsent: another broker may lead those partitions by now.
      for (const { reject } of [...taken, ...offers.splice(0)]) reject(error);
    }
  }

  // At the end of the turn at the earliest: what is appended in one turn shares a request.
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
