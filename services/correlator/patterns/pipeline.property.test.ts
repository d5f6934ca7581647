import fc from 'fast-check';
import { v7 } from 'uuid';
import { createFold } from '#core/correlate/fold/fold.ts';
import type { ReportedFinding } from '#core/correlate/fold/reported-finding.ts';
import type { CorrelatedEntry } from '#core/correlate/state/entries.ts';
import { hardLedger } from '#core/correlate/testing/ledger.ts';
import { FINGERPRINTS } from '#core/similarity/compare.ts';
import { afterAll, beforeAll, expect, test } from '#jest';
import type { StoredRecord } from '#platform/event-log/port.ts';
import { snapshotsOf } from '#platform/warehouse/queries/evidence/correlation-snapshots.ts';
import type { CorrelationFinding } from '#schemas/events/events.ts';
import {
  foldedEntries,
  Killed,
  newestOf,
  type PatternsWorld,
  startPatternsWorld,
} from './testing/patterns-world.ts';

let world: PatternsWorld;
beforeAll(async () => {
  world = await startPatternsWorld();
});
afterAll(() => world.close());

interface Cuts {
  /** Entries per record, and records per batch. */
  readonly sizes: readonly number[];
  readonly batches: readonly number[];
  /** The process dies at its n-th crash point, again and again. */
  readonly crashes: readonly number[];
  /** Number of batches between commits. */
  readonly every: number;
  /** Limit for the folds in memory; 0: each batch restores its customers. */
  readonly maxBytes: number;
}

function recordsOf(
  customerId: string,
  entries: readonly CorrelatedEntry[],
  sizes: readonly number[],
): StoredRecord[] {
  const folded = foldedEntries(customerId, entries);
  const records: StoredRecord[] = [];
  for (let at = 0, turn = 0; at < folded.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    records.push(world.record(customerId, folded.slice(at, at + size)));
    at += size;
  }
  return records;
}

/** Reads the log, from the last commit again whenever the process has died. */
async function readInPieces(records: readonly StoredRecord[], cuts: Cuts): Promise<CorrelationFinding[]> {
  const dies = [...cuts.crashes];
  let [at, committed, turn] = [0, 0, 0];
  let patterns = world.patterns({ maxBytes: cuts.maxBytes }, dies.shift());
  while (committed < records.length) {
    try {
      const end = Math.min(records.length, at + cuts.batches[turn % cuts.batches.length]!);
      if (at < end) await patterns.process(world.batch(records.slice(at, end)));
      [at, turn] = [end, turn + 1];
      if (turn % cuts.every !== 0 && at < records.length) continue;
      await patterns.beforeCommits([0]);
      committed = at;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      patterns = world.patterns({ maxBytes: cuts.maxBytes }, dies.shift());
      at = committed;
    }
  }
  return world.published();
}

function straight(
  customerId: string,
  entries: readonly CorrelatedEntry[],
): { published: ReportedFinding[]; snapshot: string } {
  const fold = createFold({ customerId, similarity: FINGERPRINTS });
  const published = entries.flatMap((entry) => fold.fold([entry]));
  return { published, snapshot: JSON.stringify(fold.snapshot()) };
}

test('the findings are those of a single read, however the log is cut and wherever the process dies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1_000_000),
      fc.record({
        sizes: fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 6 }),
        batches: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
        crashes: fc.array(fc.integer({ min: 1, max: 24 }), { maxLength: 8 }),
        every: fc.integer({ min: 1, max: 6 }),
        maxBytes: fc.constantFrom(0, 2 ** 26),
      }),
      async (seed, cuts) => {
        // Two customers in turn, so that with room for none each batch restores one from its snapshot.
        const ids = [v7(), v7()] as const;
        const ledgers = ids.map((_, index) => hardLedger(seed + index));
        const own = ids.map((id, index) => recordsOf(id, ledgers[index]!, cuts.sizes));
        const mixed = Array.from({ length: Math.max(own[0]!.length, own[1]!.length) }, (_, at) =>
          own.flatMap((records) => records.slice(at, at + 1)),
        ).flat();
        const published = await readInPieces(mixed, cuts);
        const stored = new Map((await snapshotsOf(world.warehouse, ids)).map((row) => [row.customerId, row]));
        for (const [index, id] of ids.entries()) {
          const expected = straight(id, ledgers[index]!);
          const mine = published.filter(({ customerId }) => customerId === id);
          expect(expected.published.length).toBeGreaterThan(0);
          // Every version that one reading publishes, and no other.
          const versions = (findings: readonly { id: string; version: number }[]) =>
            [...new Set(findings.map((one) => `${one.id} ${one.version}`))].sort();
          expect(versions(mine)).toEqual(versions(expected.published.map(({ finding }) => finding)));
          const last = new Map(expected.published.map(({ finding }) => [finding.id, finding]));
          expect(newestOf(mine)).toEqual([...last.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));
          expect(stored.get(id)!.snapshot).toBe(expected.snapshot);
        }
      },
    ),
    { numRuns: 6 },
  );
}, 120_000);
