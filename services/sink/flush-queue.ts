/** When waiting work is flushed together. */
export interface FlushLimits {
  /** Records that are flushed at once. */
  readonly minRecords: number;
  /** Records of one flush at most, unless a single unit holds more. */
  readonly maxRecords: number;
  /** How long the first waiting unit waits for more, ms: after a flush, and after a pause without any. */
  readonly lingerMs: number;
  readonly idleLingerMs: number;
  /** A pause this long makes the sink idle, ms. */
  readonly idleAfterMs: number;
}

/** Few large parts under load; little delay when a single audit comes after a pause. */
export const FLUSH_LIMITS: FlushLimits = {
  minRecords: 2_000,
  maxRecords: 5_000,
  lingerMs: 500,
  idleLingerMs: 100,
  idleAfterMs: 1_000,
};

export interface FlushQueue<Unit, Outcome> {
  /** Resolves with the unit's outcome once its flush is done; rejects when that flush failed. */
  add(unit: Unit): Promise<Outcome>;
}

interface Waiting<Unit, Outcome> {
  readonly unit: Unit;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joins what the partitions bring into one flush at a time. A partition waits for its unit before it brings the next
 * one, so a flush holds at most one unit of each.
 */
export function createFlushQueue<Unit extends { readonly size: number }, Outcome>(options: {
  readonly flush: (units: readonly Unit[]) => Promise<readonly Outcome[]>;
  readonly limits: FlushLimits;
  readonly now: () => number;
}): FlushQueue<Unit, Outcome> {
  const { limits, now } = options;
  let waiting: Waiting<Unit, Outcome>[] = [];
  let running = false;
  let lastFlushAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const schedule = (): void => {
    const first = waiting[0];
    if (running || first === undefined) return;
    clearTimeout(timer);
    const records = waiting.reduce((sum, { unit }) => sum + unit.size, 0);
    if (records >= limits.minRecords) {
      void run();
      return;
    }
    const isIdle = first.since - lastFlushAt >= limits.idleAfterMs;
    const dueAt = first.since + (isIdle ? limits.idleLingerMs : limits.lingerMs);
    timer = setTimeout(() => void run(), Math.max(0, dueAt - now()));
  };

  const take = (): Waiting<Unit, Outcome>[] => {
    let records = 0;
    let count = 0;
    for (const { unit } of waiting) {
      if (count > 0 && records + unit.size > limits.maxRecords) break;
      records += unit.size;
      count += 1;
    }
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return taken;
  };

  const run = async (): Promise<void> => {
    const taken = take();
    running = true;
    try {
      const outcomes = await options.flush(taken.map(({ unit }) => unit));
      for (const [i, { resolve }] of taken.entries()) resolve(outcomes[i]!);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    } finally {
      running = false;
      lastFlushAt = now();
      schedule();
    }
  };

  return {
    add: (unit) =>
      new Promise((resolve, reject) => {
        waiting.push({ unit, since: now(), resolve, reject });
        schedule();
      }),
  };
}
