import type { Fault } from './faults.ts';
import { type RunResult, runSeed, type Without } from './run.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Shrinking {
  readonly time: VirtualTime;
  /** Monotonic ms of the real world. */
  readonly realNow: () => number;
  readonly budgetMs: number;
}

/** A run that still breaks the same guarantee, and its exclusions. */
export interface Shrunk {
  readonly result: RunResult;
  readonly without: Without;
}

const promiseOf = (broken: string): string => broken.split(':')[0] as string;

/**
 * Removes from a failing run what the failure does not need: kinds of faults, then operations, first by halves and
 * finally one by one. The rest is what a developer has to read.
 */
export async function shrink(failing: RunResult, without: Without, shrinking: Shrinking): Promise<Shrunk> {
  const { time, realNow, budgetMs } = shrinking;
  const until = realNow() + budgetMs;
  const promises = new Set(failing.broken.map(promiseOf));
  let best: Shrunk = { result: failing, without };

  const tryWithout = async (smaller: Without): Promise<boolean> => {
    const result = await runSeed(time, { seed: failing.seed, without: smaller });
    if (!result.broken.some((what) => promises.has(promiseOf(what)))) return false;
    best = { result, without: smaller };
    return true;
  };

  for (const fault of failing.counts.keys() as Iterable<Fault>) {
    if (realNow() > until) return best;
    await tryWithout({ ...best.without, faults: new Set([...best.without.faults, fault]) });
  }
  const { length } = best.result.plan.operations;
  const all = length + best.without.operations.size;
  for (let size = Math.ceil(all / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < all; from += size) {
      if (realNow() > until) return best;
      const some = Array.from({ length: Math.min(size, all - from) }, (_, index) => from + index);
      const left = some.filter((index) => !best.without.operations.has(index));
      if (left.length > 0)
        await tryWithout({ ...best.without, operations: new Set([...best.without.operations, ...left]) });
    }
  }
  return best;
}
