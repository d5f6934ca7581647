/** Stores offsets in one transaction; resolves when it is committed. */
type WriteOffsets = (put: (putOffset: PutOffset) => void) => Promise<void>;
export type PutOffset = (
  id: readonly [group: string, topic: string, partition: number],
  next: number,
) => void;

export interface CommittedOffsets {
  /** Next offset of the group; null when it never committed. */
  get(group: string, topic: string, partition: number): number | null;
  /** All committed offsets. */
  all(): [group: string, topic: string, partition: number, nextOffset: number][];
  /** Resolves when the offset is in a committed transaction. */
  commit(group: string, topic: string, partition: number, nextOffset: number): Promise<void>;
  /**
   * Adds the queued offsets to the transaction being built. Call the returned function with that transaction's outcome.
   */
  drain(put: PutOffset): (written: Promise<unknown>) => Promise<void>;
  /** Writes the queued offsets; resolves when the write has settled, even if it failed. */
  flush(): Promise<void>;
}

interface Waiting {
  readonly offsets: Map<string, { id: [string, string, number]; next: number }>;
  readonly done: Promise<void>;
  readonly timer: NodeJS.Timeout;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Offsets of all groups, held in memory and written together. Many partitions commit many small batches, and each
 * transaction costs an fsync. So a commit joins the next transaction that carries records, and gets its own only when
 * none follows within `delayMs`. That makes it durable, which is more than necessary: after a power loss an older
 * committed offset would only mean redelivery.
 */
export function createCommittedOffsets(
  stored: Iterable<readonly [id: readonly [string, string, number], next: number]>,
  delayMs: number,
  write: WriteOffsets,
): CommittedOffsets {
  const offsets = new Map<string, number>();
  for (const [id, next] of stored) offsets.set(keyOf(...id), next);
  let waiting: Waiting | null = null;

  function begin(): Waiting {
    let resolve: () => void = () => undefined;
    let reject: (error: unknown) => void = () => undefined;
    const done = new Promise<void>((onResolve, onReject) => {
      resolve = onResolve;
      reject = onReject;
    });
    return { offsets: new Map(), done, timer: setTimeout(writeAlone, delayMs), resolve, reject };
  }

  function drain(put: PutOffset): (written: Promise<unknown>) => Promise<void> {
    const taken = waiting;
    waiting = null;
    if (taken === null) return () => Promise.resolve();
    clearTimeout(taken.timer);
    for (const { id, next } of taken.offsets.values()) put(id, next);
    return async (written) => {
      try {
        await written;
        for (const [key, { next }] of taken.offsets) offsets.set(key, next);
        taken.resolve();
      } catch (error) {
        taken.reject(new Error('the event log could not store committed offsets', { cause: error }));
      }
    };
  }

  function writeAlone(): Promise<void> {
    let settle: (written: Promise<unknown>) => Promise<void> = () => Promise.resolve();
    const written = write((put) => {
      settle = drain(put);
    });
    return settle(written);
  }

  return {
    all: () => [...offsets].map(([key, next]) => [...(JSON.parse(key) as [string, string, number]), next]),
    get: (group, topic, partition) => offsets.get(keyOf(group, topic, partition)) ?? null,
    commit(group, topic, partition, next) {
      waiting ??= begin();
      waiting.offsets.set(keyOf(group, topic, partition), { id: [group, topic, partition], next });
      return waiting.done;
    },
    drain,
    flush: () => (waiting === null ? Promise.resolve() : writeAlone()),
  };
}

const keyOf = (group: string, topic: string, partition: number): string =>
  JSON.stringify([group, topic, partition]);
