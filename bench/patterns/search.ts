import { DAY_MS, DEFAULT_SETTINGS } from '#core/correlate/state/rules.ts';
import { sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import { searchInThread } from '#services/api/evidence/correlations/search-in-thread.ts';
import { print } from '../../cli/command/output.ts';
import { onNewEngine } from '../service/engine.ts';
import { correlatedSignals } from './correlated-signals.ts';

const RUNS = 5;
const SEED = 18;
const START_MS = Date.UTC(2026, 0, 5);
const FROM_MS = START_MS + 28 * DAY_MS;
const END_MS = FROM_MS + 30 * DAY_MS;
const ROWS_PER_INSERT = 5_000;
const CUSTOMER = '0190aaaa-0000-7000-8000-0000000000c1';

const iso = (at: number): string => new Date(at).toISOString();

/** `inRange` signals in the 30 days that are searched, and as many per day in the 28 days before them: the baseline. */
function signalRows(inRange: number): SignalRow[] {
  const sample = storedRows([sampleDraft(0, 'SIGNAL')]).signals[0]!;
  const count = Math.round((inRange * (END_MS - START_MS)) / (END_MS - FROM_MS));
  const signals = correlatedSignals(SEED, { count, from: START_MS, end: END_MS });
  return signals.map(({ id, createdAt, acceptedAt, ...signal }) => ({
    ...sample,
    ...signal,
    customerId: CUSTOMER,
    auditId: id,
    violations: [...signal.violations] as SignalRow['violations'],
    createdAt: iso(createdAt),
    acceptedAt: iso(acceptedAt),
  }));
}

/** Whole searches in a thread, as `POST /evidence/correlations/detect` runs them: reading and parsing included. */
export const measureSearches = (inRange: number): Promise<void> =>
  onNewEngine(async ({ warehouse, address, cpuSeconds }) => {
    const rows = signalRows(inRange);
    print(`storing ${rows.length} signals ...`);
    for (let at = 0; at < rows.length; at += ROWS_PER_INSERT)
      await warehouse.insert(SIGNALS.name, columnNames(SIGNALS), rows.slice(at, at + ROWS_PER_INSERT));
    rows.length = 0;
    const range = { from: FROM_MS, to: END_MS - 1, sandboxSlug: null };
    for (let run = 0; run < RUNS; run += 1) {
      const [cpu, engine, startedAt] = [process.cpuUsage(), cpuSeconds(), performance.now()];
      const found = await searchInThread(address).run(
        { ...DEFAULT_SETTINGS, customerId: CUSTOMER, ...range },
        { gone: new AbortController().signal, onProgress: () => undefined },
      );
      const { user, system } = process.cpuUsage(cpu);
      print(
        `search over ${found.analyzedSignals} signals: ${((performance.now() - startedAt) / 1e3).toFixed(2)} s, ` +
          `${((user + system) / 1e6).toFixed(2)} s of CPU, the engine ${(cpuSeconds() - engine).toFixed(2)}; ${found.count} findings`,
      );
    }
  });
