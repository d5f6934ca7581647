/** When waiting work is flushed together. */
export interface FlushLimits {
  /** So many waiting records are flushed at once. */
  readonly minRecords: number;
  /** Records of one flush at most, unless a single unit holds more. */
  readonly maxRecords: number;
  /** Flushes begin at least this far apart, ms: after one of many records, and after one of few. */
  readonly everyMs: number;
  readonly fewEveryMs: number;
  /** A flush of less records than this is one of few. */
  readonly manyRecords: number;
  /** A due flush begins when no unit came for so long, ms, but no later than `lingerMs` after the first one. */
  readonly settleMs: number;
  readonly lingerMs: number;
  /** How long the first unit after a pause of `idleAfterMs` waits for more, ms. */
  readonly idleLingerMs: number;
  readonly idleAfterMs: number;
}

/** A flush costs the warehouse about the same for one row and for hundreds: few of them, and large ones under load. */
export const FLUSH_LIMITS: FlushLimits = {
  minRecords: 8_000,
  maxRecords: 12_000,
  everyMs: 1_000,
  fewEveryMs: 500,
  manyRecords: 250,
  settleMs: 25,
  lingerMs: 250,
  idleLingerMs: 100,
  idleAfterMs: 1_000,
};

export interface FlushQueue<Unit, Outcome> {
  /**
   * Resolves with the unit's outcome once its flush is done; rejects when that flush failed. `lost`: a unit that still
   * waits when it fires is withdrawn, and never flushed, and this rejects with its reason. A flush that has begun is
   * waited for: what it stores is as good as it was, and nothing of the partition may begin beside it. Throws when a
   * unit of the same partition waits or is being flushed.
   */
  add(unit: Unit, lost: AbortSignal): Promise<Outcome>;
  /** Resolves when the next flush may begin: a unit that is made no sooner holds what came until then. */
  due(): Promise<void>;
}

interface Waiting<Unit, Outcome> {
  readonly unit: Unit;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** The unit is taken into a flush: it cannot be withdrawn any more. */
  readonly taken: () => void;
}

/** What the queue asks of a unit; `behind`: more records of its partition wait already. */
export interface Flushable {
  /** `topic/partition` that the unit's records lie in. */
  readonly place: string;
  readonly size: number;
  readonly behind: boolean;
}

/**
 * Joins what the partitions bring into one flush at a time. A partition waits for its unit before it brings the next
 * one, under whichever assignment, so a flush holds at most one unit of each: two would be folded from one another's
 * bounds and heads.
 */
export function createFlushQueue<Unit extends Flushable, Outcome>(options: {
  readonly flush: (units: readonly Unit[]) => Promise<readonly Outcome[]>;
  readonly limits: FlushLimits;
  readonly now: () => number;
}): FlushQueue<Unit, Outcome> {
  const { limits, now } = options;
  let waiting: Waiting<Unit, Outcome>[] = [];
  let running = false;
  /** Partitions of which a unit waits or is being flushed. */
  const busy = new Set<string>();
  let dueAt = Number.NEGATIVE_INFINITY;
  let lastEndedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  /** When the waiting units are flushed, as far as is known now. */
  const flushAt = (first: Waiting<Unit, Outcome>, last: Waiting<Unit, Outcome>): number => {
    const records = waiting.reduce((sum, { unit }) => sum + unit.size, 0);
    if (records >= limits.minRecords) return 0;
    const isIdle = first.since - lastEndedAt >= limits.idleAfterMs;
    // Who is behind gains nothing by waiting: what it would wait for is there.
    const due = waiting.some(({ unit }) => unit.behind) ? Number.NEGATIVE_INFINITY : dueAt;
    // A unit that was early waits for those that rest until the flush is due. Without that they would come just after it
    // began, each time, and every partition would be in every other flush.
    const settledAt = isIdle
      ? first.since + limits.idleLingerMs
      : Math.max(last.since, due) + limits.settleMs;
    return Math.max(due, Math.min(settledAt, Math.max(first.since, due) + limits.lingerMs));
  };

  const schedule = (): void => {
    const [first, last] = [waiting[0], waiting.at(-1)];
    if (running || first === undefined || last === undefined) return;
    clearTimeout(timer);
    const delayMs = flushAt(first, last) - now();
    if (delayMs <= 0) void run();
    else timer = setTimeout(schedule, delayMs);
  };

  const take = (): Waiting<Unit, Outcome>[] => {
    let records = 0;
    let count = 0;
    for (const { unit } of waiting) {
      if (count > 0 && records + unit.size > limits.maxRecords) break;
      records += unit.size;
      count += 1;
    }
    dueAt = now() + (records < limits.manyRecords ? limits.fewEveryMs : limits.everyMs);
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const one of taken) one.taken();
    return taken;
  };

  const run = async (): Promise<void> => {
    const taken = take();
    running = true;
    try {
      const outcomes = await options.flush(taken.map(({ unit }) => unit));
      if (outcomes.length !== taken.length) throw new Error('a flush has not one outcome per unit');
      for (const [i, { resolve }] of taken.entries()) resolve(outcomes[i]!);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    } finally {
      for (const { unit } of taken) busy.delete(unit.place);
      running = false;
      lastEndedAt = now();
      schedule();
    }
  };

  return {
    add: (unit, lost) =>
      new Promise((resolve, reject) => {
        lost.throwIfAborted();
        if (busy.has(unit.place)) throw new Error(`two units of ${unit.place} at the same time`);
        busy.add(unit.place);
        const withdraw = (): void => {
          waiting = waiting.filter((one) => one !== added);
          busy.delete(unit.place);
          reject(lost.reason);
          schedule();
        };
        const taken = (): void => lost.removeEventListener('abort', withdraw);
        const added: Waiting<Unit, Outcome> = { unit, since: now(), resolve, reject, taken };
        lost.addEventListener('abort', withdraw, { once: true });
        waiting.push(added);
        schedule();
      }),
    due: async () => {
      const restMs = dueAt - now();
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    },
  };
}
