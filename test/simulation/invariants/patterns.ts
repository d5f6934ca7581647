import { createFold } from '#core/correlate/fold/fold.ts';
import { FINGERPRINTS } from '#core/similarity/compare.ts';
import { bundledCodec } from '#platform/codec/bundled.ts';
import type { FoldedEntry } from '#schemas/events/events.ts';
import { SIGNALS } from '#schemas/topics.ts';
import { correlatedEntry } from '#services/correlator/patterns/correlated-entry.ts';
import type { World } from '../world-of-run.ts';
import { closedCustomers, whoseLedgerWaits } from './confirmed.ts';

const codec = bundledCodec();

/**
 * The saved patterns of each customer equal, byte for byte, those of a single read of all folded entries, despite
 * kills, repeats and zombies. If records expired before they were read, or an older state was restored, the tables
 * stand in for the log, and they do not contain signals erased since.
 */
export async function patternFaults(world: World): Promise<string[]> {
  const { log, store, faults, restoredAt } = world;
  if (restoredAt !== null || faults.counts.has('expired records')) return [];
  const closed = await closedCustomers(world);
  const waits = whoseLedgerWaits(world);
  const folded = new Map<string, FoldedEntry[]>();
  for (const { key, value } of log.all(SIGNALS.name)) {
    if (closed.has(key) || waits(key)) continue;
    const entries = folded.get(key) ?? [];
    entries.push(...codec.decodeFoldedEntries(value).entries);
    folded.set(key, entries);
  }
  const saved = new Map(store.final().correlation_snapshots.map((row) => [row.customerId, row]));
  const broken: string[] = [];
  for (const [customerId, entries] of folded) {
    const fold = createFold({ customerId, similarity: FINGERPRINTS });
    fold.fold(entries.map(correlatedEntry));
    const row = saved.get(customerId);
    if (row === undefined) broken.push(`${customerId}: nothing is saved`);
    else if (row.next !== fold.next)
      broken.push(`${customerId}: saved up to ${row.next}, and ${fold.next} entries were folded`);
    else if (row.snapshot !== JSON.stringify(fold.snapshot()))
      broken.push(`${customerId}: the saved patterns differ from a single read`);
  }
  return broken;
}
