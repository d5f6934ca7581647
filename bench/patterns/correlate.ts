import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { isMainThread, Worker } from 'node:worker_threads';
import { beginRun } from '#core/correlate/detect.ts';
import { type CorrelationFold, createFold } from '#core/correlate/fold/fold.ts';
import type { CorrelatedEntry, CountedSignal, Past } from '#core/correlate/state/entries.ts';
import { DAY_MS, DEFAULT_SETTINGS, HOUR_MS } from '#core/correlate/state/rules.ts';
import { FINGERPRINTS } from '#core/similarity/compare.ts';
import { heapLimits } from '#services/api/evidence/correlations/search-in-thread.ts';
import { print } from '../../cli/command/output.ts';
import {
  correlatedHours,
  correlatedShapes,
  correlatedSignals,
  countedPieces,
} from '../load/correlated-signals.ts';

/**
 * What patterns cost: signals a second of the fold on one core, a run over 30 days with a million signals behind 28 days
 * of hourly counts, and the memory of customers whose windows are open.
 *
 *   node --expose-gc dist/bench/patterns/correlate.js
 *
 * CPU time is that of the whole process, garbage collection included. The run has a thread, with the heap that a run of
 * the service has.
 */
const SEED = 18;
const ROUNDS = 3;
const BEGIN_MS = Date.UTC(2026, 0, 5);
const START_MS = BEGIN_MS + 28 * DAY_MS;
const END_MS = START_MS + 30 * DAY_MS;
const RUN_SIGNALS = 1_000_000;
/** Before the run's range as many as in it. */
const SIGNALS_PER_HOUR = Math.round((RUN_SIGNALS * HOUR_MS) / (END_MS - START_MS));
const FOLD_SIGNALS = 200_000;
const BATCH = 500;
/** Rows of a piece of the engine's answer, 64 KiB: what a run of the service counts at a time. */
const PIECE = 227;
const CUSTOMERS = 50;
/** Signals of each of those customers, over three days. */
const CUSTOMER_SIGNALS = 3_000;
const MIB = 2 ** 20;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const summed = (parts: readonly Cost[]): Cost => ({
  cpuMs: parts.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  wallMs: parts.reduce((sum, { wallMs }) => sum + wallMs, 0),
});

function costOf(work: () => void): Cost {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1e3, wallMs: performance.now() - wall };
}

const costs = (work: () => void): Cost => {
  const rounds = Array.from({ length: ROUNDS }, () => {
    globalThis.gc?.();
    return costOf(work);
  });
  return {
    cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
    wallMs: median(rounds.map(({ wallMs }) => wallMs)),
  };
};

const entriesOf = (count: number, end: number): CorrelatedEntry[] =>
  correlatedSignals(SEED, { count, from: START_MS, end }).map((signal) => ({ ...signal, kind: 'SIGNAL' }));

function foldAll(fold: CorrelationFold, entries: readonly CorrelatedEntry[]): void {
  for (let at = 0; at < entries.length; at += BATCH) fold.fold(entries.slice(at, at + BATCH));
}

const past = {
  hours: correlatedHours(SEED, { from: BEGIN_MS, end: START_MS, signalsPerHour: SIGNALS_PER_HOUR }),
  shapes: correlatedShapes(SEED, BEGIN_MS, START_MS),
} satisfies Past;

/** Rows as texts, because strings that are read are new ones each time, and slower to find than those of a program. */
const piecesOfRun = (): Buffer[] =>
  Array.from(countedPieces(SEED, { count: RUN_SIGNALS, from: START_MS, end: END_MS }, PIECE), (piece) =>
    Buffer.from(JSON.stringify(piece)),
  );

function measureRun(): void {
  const parameters = { ...DEFAULT_SETTINGS, customerId: 'c', startDate: START_MS, endDate: END_MS };
  const pieces = piecesOfRun();
  let [found, rows] = [0, 0];
  const rounds = Array.from({ length: ROUNDS }, () => {
    const run = beginRun({ ...parameters, sandboxSlug: null, similarity: FINGERPRINTS });
    const parts = [costOf(() => run.countHours(past.hours)), costOf(() => run.countShapes(past.shapes))];
    rows = 0;
    // Piece by piece, as they come from the tables: what one holds is let go before the next one.
    for (const piece of pieces) {
      const signals = JSON.parse(piece.toString()) as CountedSignal[];
      rows += signals.length;
      parts.push(costOf(() => run.addSignals(signals)));
    }
    parts.push(
      costOf(() => {
        found = run.finish().length;
      }),
    );
    if (run.analyzedSignals !== RUN_SIGNALS) throw new Error('not all signals were counted');
    return summed(parts);
  });
  const hourlyCounts = past.hours.reduce((sum, { hours }) => sum + hours.length, 0);
  const [cpuMs, wallMs] = [median(rounds.map((one) => one.cpuMs)), median(rounds.map((one) => one.wallMs))];
  print(
    `detect over ${RUN_SIGNALS} signals in ${rows} rows, ${hourlyCounts} hourly counts and ${past.shapes.length} of shapes: ` +
      `${(cpuMs / 1e3).toFixed(2)} s CPU, ${(wallMs / 1e3).toFixed(2)} s, ${found} findings`,
  );
}

function measureFold(): void {
  const entries = entriesOf(FOLD_SIGNALS, END_MS);
  const { cpuMs } = costs(() =>
    foldAll(createFold({ customerId: 'c', similarity: FINGERPRINTS }, past), entries),
  );
  print(`fold: ${Math.round((FOLD_SIGNALS / cpuMs) * 1e3)} signals a second of CPU`);
}

/** Customers like the one above, with the days of a backlog: hours of the past are most of what is held. */
function measureMemory(): void {
  const entries = entriesOf(CUSTOMER_SIGNALS, START_MS + 3 * DAY_MS);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const folds = Array.from({ length: CUSTOMERS }, (_, number) => {
    const fold = createFold({ customerId: `c${number}`, similarity: FINGERPRINTS }, past);
    foldAll(fold, entries);
    return fold;
  });
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / folds.length;
  print(`heap of a customer with 28 days of history: ${(bytes / MIB).toFixed(2)} MiB`);
}

if (!isMainThread) measureRun();
else {
  measureFold();
  await once(new Worker(new URL(import.meta.url), { resourceLimits: heapLimits() }), 'exit');
  measureMemory();
}
