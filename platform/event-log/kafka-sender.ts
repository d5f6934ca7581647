import { type BatchLimits, type PartitionBatch, type Producer, topUp } from './kafka-partition-queue.ts';

export interface SenderOptions {
  /** Sends batches of one producer as one request and notes each one's result. Rejects when the request failed. */
  readonly produce: (by: Producer, batches: readonly PartitionBatch[]) => Promise<void>;
  /** Requests begin at least this far apart under load, ms; an idle sender sends at once. */
  readonly batchDelayMs: number;
  /** Of one request. */
  readonly limits: BatchLimits;
}

/** Sends to one broker. */
export interface Sender {
  /** Resolves when the broker answered for the batch; rejects when its request failed, or the one that it waited for. */
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
 * under way records gather in their queues, because each request costs about the same whether it carries one or fifty.
 * Each broker has a sender of its own: one that hangs holds up what it leads and nothing else.
 */
export function createSender({ produce, batchDelayMs, limits }: SenderOptions): Sender {
  let offers: Offer[] = [];
  let busy = false;
  let scheduled = false;
  let notBefore = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    if (busy || scheduled || offers.length === 0) return;
    scheduled = true;
    const delayMs = notBefore - performance.now();
    // At the end of the turn at the earliest: what is appended in one turn shares a request.
    if (delayMs > 0) setTimeout(flush, delayMs);
    else setImmediate(flush);
  }

  /** Offers of one producer that fit into one request, those that came first before the others. */
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
    scheduled = false;
    busy = true;
    const startedAt = performance.now();
    const taken = take();
    // What did not fit has waited for its turn already.
    const isCut = offers.length > 0 || taken.some(({ batch }) => batch.queue.waiting.length > 0);
    notBefore = isCut ? startedAt : startedAt + batchDelayMs;
    try {
      await produce(
        taken[0]!.by,
        taken.map(({ batch }) => batch),
      );
      for (const { resolve } of taken) resolve();
    } catch (error) {
      // Also what waits behind it, unsent: another broker may lead it by now.
      for (const { reject } of [...taken, ...offers.splice(0)]) reject(error);
    }
    busy = false;
    schedule();
  }

  return {
    add: (batch, by) =>
      new Promise((resolve, reject) => {
        offers.push({ batch, by, resolve, reject });
        schedule();
      }),
  };
}
