import { createFold } from '#core/correlate/fold/fold.ts';
import type { CorrelatedEntry } from '#core/correlate/state/entries.ts';
import { DAY_MS } from '#core/correlate/state/rules.ts';
import { FINGERPRINTS } from '#core/similarity/compare.ts';
import { print } from '../../cli/command/output.ts';
import { median } from '../load/quantile.ts';
import { correlatedSignals } from './correlated-signals.ts';

const SEED = 18;
const ROUNDS = 3;
const START_MS = Date.UTC(2026, 0, 5);
const SIGNALS = 200_000;
const DAYS = 58;
const BATCH = 500;

/** CPU time of the whole process, garbage collection included. */
export function measureFold(): void {
  const range = { count: SIGNALS, from: START_MS, end: START_MS + DAYS * DAY_MS };
  const entries: CorrelatedEntry[] = correlatedSignals(SEED, range).map((signal) => ({
    ...signal,
    kind: 'SIGNAL',
  }));
  const perSecond = Array.from({ length: ROUNDS }, () => {
    const fold = createFold({ customerId: 'c', similarity: FINGERPRINTS });
    const cpu = process.cpuUsage();
    for (let at = 0; at < entries.length; at += BATCH) fold.fold(entries.slice(at, at + BATCH));
    const { user, system } = process.cpuUsage(cpu);
    return (SIGNALS / (user + system)) * 1e6;
  });
  print(`${Math.round(median(perSecond))} signals a second of CPU`);
}
