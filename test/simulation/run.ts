import { drawFaults, type Fault } from './faults.ts';
import { judge } from './invariants/judge.ts';
import { drawPlan, type Plan } from './plan.ts';
import { randomOf } from './random.ts';
import { returnedRowsFaults } from './returned-rows.ts';
import { createTrace } from './trace.ts';
import type { VirtualTime } from './virtual-time.ts';
import { createWorld, play } from './world.ts';

/** Exclusions from a run: faults, and operations by their index in the plan that the seed then draws. */
export interface Without {
  readonly faults: ReadonlySet<Fault>;
  readonly operations: ReadonlySet<number>;
}

export interface RunOptions {
  readonly seed: number;
  /** Keeps every line of the trace. */
  readonly isTraced?: boolean | undefined;
  readonly without?: Without | undefined;
}

export interface RunResult {
  readonly seed: number;
  /** Violations with the broken guarantee of each; empty if the run passed. */
  readonly broken: readonly string[];
  readonly counts: ReadonlyMap<Fault, number>;
  readonly plan: Plan;
  readonly hash: string;
  readonly trace: readonly string[];
  readonly steps: number;
  readonly virtualMs: number;
}

/** Start time of every run's clock. */
const WALL_AT_START = Date.UTC(2026, 10, 23, 12);

/** Runs a seed: the same seed gives the same run. */
export async function runSeed(time: VirtualTime, options: RunOptions): Promise<RunResult> {
  const { seed, isTraced = false, without } = options;
  time.reset(WALL_AT_START);
  const random = randomOf(seed);
  Math.random = random.fork().next;
  const faults = drawFaults(random.fork(), (fault) => !without?.faults.has(fault));
  const drawn = drawPlan(random.fork(), faults);
  const operations = drawn.operations.filter((_, index) => !without?.operations.has(index));
  const plan = { ...drawn, operations };
  const trace = createTrace(isTraced);
  const world = createWorld({
    plan,
    faults,
    random: random.fork(),
    trace,
    now: time.now,
    wallAtStart: WALL_AT_START,
  });
  const broken: string[] = [];
  const onUnhandled = (error: unknown): void => {
    broken.push(`unhandled: ${(error as Error)?.stack ?? error}`);
  };
  process.on('unhandledRejection', onUnhandled);
  let isOver = false;
  const end = async (): Promise<void> => {
    const left = await play(world);
    broken.push(...left.slice(0, 5).map((what) => `everything ends in time: ${what}`));
    broken.push(...(await judge(world)));
    // Existing violations are reported without further checks.
    if (broken.length > 0) return;
    const returned = await returnedRowsFaults(world);
    broken.push(...returned.map((what) => `erased content stays erased: ${what}`));
  };
  void end()
    .catch((error: Error) => broken.push(`the simulation failed: ${error.stack}`))
    .finally(() => {
      isOver = true;
    });
  await time.runUntil(() => isOver);
  process.off('unhandledRejection', onUnhandled);
  if (!isOver) broken.push('the simulation failed: nothing is left to do, and the run has not ended');
  return {
    seed,
    broken,
    counts: faults.counts,
    plan,
    hash: trace.hash(),
    trace: trace.last(isTraced ? Number.POSITIVE_INFINITY : 60),
    steps: time.steps(),
    virtualMs: time.now(),
  };
}
