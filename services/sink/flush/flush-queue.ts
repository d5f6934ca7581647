import { createBatchLoop } from '#platform/flow/batch-loop.ts';

/** When waiting work is flushed together. */
export interface FlushLimits {
  /** A flush starts at once when this many records wait. */
  readonly minRecords: number;
  /** Maximum number of records in a flush, unless a single unit holds more. */
  readonly maxRecords: number;
  /** Minimum time between the starts of two flushes, ms: after a large flush, and after a small one. */
  readonly everyMs: number;
  readonly fewEveryMs: number;
  /** Minimum time between the end of a flush and the start of the next, ms: a slow warehouse gets fewer, larger ones. */
  readonly restMs: number;
  /** A flush with fewer records is small. */
  readonly manyRecords: number;
  /** A due flush starts when no unit has arrived for this long, ms, but at most `lingerMs` after the first one. */
  readonly settleMs: number;
  readonly lingerMs: number;
  /** How long the first unit after a pause of `idleAfterMs` waits for more, ms. */
  readonly idleLingerMs: number;
  readonly idleAfterMs: number;
}

/** A flush costs the warehouse about the same for one row as for hundreds, so flushes are few, and large under load. */
export const FLUSH_LIMITS: FlushLimits = {
  minRecords: 8_000,
  maxRecords: 12_000,
  everyMs: 1_000,
  fewEveryMs: 500,
  restMs: 500,
  manyRecords: 250,
  settleMs: 25,
  lingerMs: 250,
  idleLingerMs: 100,
  idleAfterMs: 1_000,
};

export interface FlushQueue<Unit, Outcome> {
  /**
   * Resolves with the unit's outcome when its flush is done; rejects when the flush failed. When `lost` fires, a
   * waiting unit is withdrawn without a flush, and this rejects with the signal's reason. A running flush is awaited:
   * its rows are still valid, and no other work on the partition may start meanwhile. Throws when a unit of the same
   * partition is waiting or being flushed.
   */
  add(unit: Unit, lost: AbortSignal): Promise<Outcome>;
  /** Resolves when the next flush may start: a unit made only then holds everything that arrived before. */
  due(): Promise<void>;
}

interface Waiting<Unit, Outcome> {
  readonly unit: Unit;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** Called when a flush takes the unit, which can then no longer be withdrawn. */
  readonly taken: () => void;
}

/**
 * What the queue needs to know about a unit. `isLagging`: at least as many records of its partition are already waiting.
 */
export interface Flushable {
  /** `topic/partition` of the unit's records. */
  readonly topicPartition: string;
  readonly size: number;
  readonly isLagging: boolean;
}

/**
 * Combines the partitions' units into one flush at a time. A partition waits for its unit before it adds the next,
 * whatever the assignment, so a flush holds at most one unit per partition: two would be folded with each other's
 * bounds and heads.
 */
export function createFlushQueue<Unit extends Flushable, Outcome>(options: {
  readonly flush: (units: readonly Unit[]) => Promise<readonly Outcome[]>;
  readonly limits: FlushLimits;
  readonly now: () => number;
}): FlushQueue<Unit, Outcome> {
  const { limits, now } = options;
  let waiting: Waiting<Unit, Outcome>[] = [];
  /** Partitions with a unit that is waiting or being flushed. */
  const busy = new Set<string>();
  let dueAt = Number.NEGATIVE_INFINITY;
  let running = Promise.resolve();
  let lastEndedAt = Number.NEGATIVE_INFINITY;

  const take = (): Waiting<Unit, Outcome>[] => {
    const { count, records } = fitting(waiting, limits.maxRecords);
    dueAt = now() + (records < limits.manyRecords ? limits.fewEveryMs : limits.everyMs);
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const one of taken) one.taken();
    return taken;
  };

  const flushTaken = async (): Promise<void> => {
    const taken = take();
    try {
      const outcomes = await options.flush(taken.map(({ unit }) => unit));
      if (outcomes.length !== taken.length) throw new Error('a flush must return one outcome per unit');
      for (const [i, { resolve }] of taken.entries()) resolve(outcomes[i]!);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    } finally {
      for (const { unit } of taken) busy.delete(unit.topicPartition);
      lastEndedAt = now();
      dueAt = Math.max(dueAt, lastEndedAt + limits.restMs);
    }
  };
  const run = async (): Promise<void> => {
    running = flushTaken();
    await running;
  };
  const dueInMs = (): number | null =>
    waiting.length === 0 ? null : flushAt(waiting, limits, { dueAt, lastEndedAt }) - now();
  const wake = createBatchLoop({ dueInMs, run, begins: 'now' });

  return {
    add: (unit, lost) =>
      new Promise((resolve, reject) => {
        lost.throwIfAborted();
        if (busy.has(unit.topicPartition)) throw new Error(`two concurrent units for ${unit.topicPartition}`);
        busy.add(unit.topicPartition);
        const withdraw = (): void => {
          waiting = waiting.filter((one) => one !== added);
          busy.delete(unit.topicPartition);
          reject(lost.reason);
          wake();
        };
        const taken = (): void => lost.removeEventListener('abort', withdraw);
        const added: Waiting<Unit, Outcome> = { unit, since: now(), resolve, reject, taken };
        lost.addEventListener('abort', withdraw, { once: true });
        waiting.push(added);
        wake();
      }),
    due: async () => {
      // Its end decides when the next flush is due. Another may start then, with partitions that lag.
      await running;
      const lingerMs = dueAt - now();
      if (lingerMs > 0) await new Promise((resolve) => setTimeout(resolve, lingerMs));
    },
  };
}

interface Unflushed {
  readonly unit: Flushable;
  readonly since: number;
}

/** The units that the next flush takes, in order: at least one. */
function fitting(waiting: readonly Unflushed[], maxRecords: number): { count: number; records: number } {
  let records = 0;
  let count = 0;
  for (const { unit } of waiting) {
    if (count > 0 && records + unit.size > maxRecords) break;
    records += unit.size;
    count += 1;
  }
  return { count, records };
}

/** When the waiting units will be flushed, as far as is known now. */
function flushAt(
  waiting: readonly Unflushed[],
  limits: FlushLimits,
  { dueAt, lastEndedAt }: { readonly dueAt: number; readonly lastEndedAt: number },
): number {
  const [first, last] = [waiting[0]!, waiting.at(-1)!];
  const records = waiting.reduce((sum, { unit }) => sum + unit.size, 0);
  if (records >= limits.minRecords) return 0;
  const isIdle = first.since - lastEndedAt >= limits.idleAfterMs;
  // A lagging partition gains nothing by waiting: its next records are already there.
  const due = waiting.some(({ unit }) => unit.isLagging) ? Number.NEGATIVE_INFINITY : dueAt;
  // An early unit waits until the flush is due, for partitions that linger. Otherwise they would always arrive just
  // after a flush started, and every partition would be in every other flush.
  const settledAt = isIdle ? first.since + limits.idleLingerMs : Math.max(last.since, due) + limits.settleMs;
  return Math.max(due, Math.min(settledAt, Math.max(first.since, due) + limits.lingerMs));
}
