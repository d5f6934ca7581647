import { setMaxListeners } from 'node:events';
import { FAULTS, type Fault } from './faults.ts';
import { type RunResult, runSeed, type Without } from './run.ts';
import { shrink } from './shrink.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Program {
  readonly time: VirtualTime;
  /** Monotonic ms of the real world. */
  readonly realNow: () => number;
}

interface Arguments {
  readonly seeds: number;
  readonly budgetMs: number;
  readonly seed: number | null;
  readonly base: number;
  /** Continues after a failing seed and finally reports how often each guarantee was broken. */
  readonly keepsGoing: boolean;
  /** Stops at the first run with a violation that starts with this text. */
  readonly until: string | null;
  /** Faults excluded from all runs. */
  readonly without: Without;
}

const BUDGET_MS = 120_000;
const PROGRESS_EVERY_MS = 10_000;
const SHOWN = 10;
const SHRINK_MS = 30_000;
/** Every n-th seed is run twice: a seed must give the same run. */
const SAME_EVERY = 50;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

function parse(args: readonly string[]): Arguments {
  const optionOf = (name: string): number | null => {
    const index = args.indexOf(name);
    return index < 0 ? null : Number(args[index + 1]);
  };
  const listOf = (name: string): string[] =>
    args.includes(name) ? (args[args.indexOf(name) + 1] ?? '').split(',').filter((one) => one !== '') : [];
  const count = args[0] !== undefined && /^\d+$/.test(args[0]) ? Number(args[0]) : null;
  const base = optionOf('--base') ?? (process.hrtime()[1] ^ process.pid) >>> 0;
  return {
    seeds: count ?? Number.POSITIVE_INFINITY,
    budgetMs:
      count === null ? (optionOf('--seconds') ?? BUDGET_MS / 1_000) * 1_000 : Number.POSITIVE_INFINITY,
    seed: optionOf('--seed'),
    base,
    keepsGoing: args.includes('--keep-going'),
    until: args.includes('--until') ? (args[args.indexOf('--until') + 1] ?? '') : null,
    without: {
      faults: faultsNamed(listOf('--without')),
      operations: new Set(listOf('--drop').map(Number)),
    },
  };
}

/** Runs seeds until the budget is spent or one of them breaks a guarantee. Returns the exit code. */
export async function simulate(args: readonly string[], program: Program): Promise<number> {
  const { seeds, budgetMs, seed, base, keepsGoing, until, without } = parse(args);
  // Many partitions listen to one signal.
  setMaxListeners(0);
  if (seed !== null) return replay(program, seed, without);
  // Thousands of errors are created, and their stack traces are never read.
  Error.stackTraceLimit = 0;
  const { time, realNow } = program;
  const counts = new Map<Fault, number>();
  const broken = new Map<string, { readonly afterS: number; readonly seeds: number[] }>();
  const startedAt = realNow();
  const secondsSince = (at: number): number => (realNow() - at) / 1_000;
  let [passed, failed, steps, reportedAt] = [0, 0, 0, startedAt];
  print(`base seed ${base}`);
  for (let n = 0; n < seeds && realNow() - startedAt < budgetMs; n += 1) {
    const result = await runSeed(time, { seed: (base + n) >>> 0, without });
    if (n % SAME_EVERY === 0) {
      const { hash } = await runSeed(time, { seed: result.seed, without });
      if (hash !== result.hash)
        throw new Error(`two runs of seed ${result.seed} differ: nothing can be replayed`);
    }
    steps += result.steps;
    for (const [fault, count] of result.counts) counts.set(fault, (counts.get(fault) ?? 0) + count);
    if (result.broken.length === 0) passed += 1;
    else {
      failed += 1;
      for (const what of new Set(result.broken.map(nameOf))) {
        const found = broken.get(what) ?? { afterS: secondsSince(startedAt), seeds: [] };
        found.seeds.push(result.seed);
        broken.set(what, found);
      }
      const sought = until === null ? undefined : result.broken.find((what) => what.startsWith(until));
      if (sought !== undefined) {
        print(
          `found after ${secondsSince(startedAt).toFixed(1)} s and ${n + 1} seeds, by ${result.seed}: ${sought}`,
        );
        break;
      }
      if (keepsGoing) print(`seed ${result.seed} breaks: ${result.broken[0]}`);
      else {
        report(result, without);
        const shrunk = await shrink(result, without, { time, realNow, budgetMs: SHRINK_MS });
        print('made smaller:');
        report(shrunk.result, shrunk.without);
        break;
      }
    }
    if (realNow() - reportedAt > PROGRESS_EVERY_MS) {
      print(`${passed + failed} seeds in ${Math.round(secondsSince(startedAt))} s`);
      reportedAt = realNow();
    }
  }
  const runs = passed + failed;
  if (runs === 0) {
    print('no run was made, so nothing was tried: give a number of seeds or of --seconds above 0');
    return 1;
  }
  const seconds = secondsSince(startedAt);
  print(
    `${seconds.toFixed(1)} s, ${(runs / seconds).toFixed(1)} runs/s, ${Math.round(steps / runs)} steps a run`,
  );
  for (const fault of FAULTS) print(`  ${String(counts.get(fault) ?? 0).padStart(9)}  ${fault}`);
  for (const [what, { afterS, seeds: by }] of broken)
    print(`after ${afterS.toFixed(1)} s, ${by.length} runs: "${what}", seeds ${by.slice(0, 5).join(', ')}`);
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** A violation without the parts that differ from run to run. */
const nameOf = (broken: string): string =>
  (broken.split('\n')[0] as string)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}(:\d+)?/g, '*')
    .replace(/\d+/g, 'N')
    .slice(0, 160);

function report(result: RunResult, { faults, operations }: Without): void {
  print(`seed ${result.seed} breaks:`);
  for (const broken of result.broken.slice(0, SHOWN)) print(`  ${broken}`);
  if (result.broken.length > SHOWN) print(`  and ${result.broken.length - SHOWN} more`);
  print(
    `operations: ${result.plan.operations.map(({ at, kind }) => `${kind} at ${at / 1_000} s`).join(', ')}`,
  );
  print(`faults: ${[...result.counts].map(([fault, count]) => `${count} ${fault}`).join(', ')}`);
  print('the last steps:');
  for (const line of result.trace) print(`  ${line}`);
  const without = faults.size === 0 ? '' : ` --without '${[...faults].join(',')}'`;
  const dropped = operations.size === 0 ? '' : ` --drop ${[...operations].sort((a, b) => a - b).join(',')}`;
  print(`replay: npm run test:simulation -- --seed ${result.seed}${without}${dropped}`);
}

function faultsNamed(names: readonly string[]): Set<Fault> {
  const unknown = names.filter((name) => !(FAULTS as readonly string[]).includes(name));
  if (unknown.length > 0) throw new Error(`no fault is called ${unknown.join(', ')}`);
  return new Set(names as Fault[]);
}

async function replay({ time }: Program, seed: number, without: Without): Promise<number> {
  const result = await runSeed(time, { seed, isTraced: true, without });
  for (const line of result.trace) print(line);
  for (const broken of result.broken) print(`BROKEN  ${broken}`);
  print(`trace ${result.hash}, ${result.steps} steps, ${Math.round(result.virtualMs / 1_000)} virtual s`);
  return result.broken.length === 0 ? 0 : 1;
}
