import { v7 } from 'uuid';
import { sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { consistencyRanges, inclusionRanges, type LeafRange } from '#core/evidence/tree/ranges.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { storeWarehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { treeHashes } from '#records/ledger/tree-hashes.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { LEDGER, type LedgerRow, SIGNALS } from '#schemas/tables/tables.ts';
import { passesHere } from '#services/api/evidence/chain/passes.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import { print, printTable } from '../cli/command/output.ts';
import { packageOfLedger } from './evidence/package-of-ledger.ts';
import { ascending, quantile } from './load/quantile.ts';
import { optionsOf } from './options.ts';
import { onNewEngine } from './service/engine.ts';

/**
 * Measures the cost of proving a ledger: fills the embedded engine with a customer's entries, grows its tree,
 * re-derives every entry from the stored rows, builds a package of all of them and proofs of single ones.
 */
const { values } = optionsOf('evidence', { entries: 100_000 });
const ENTRIES = values.entries;
/** Ten times a busy flush of the sink: loading is not measured. */
const ROWS_PER_INSERT = 10_000;
const PROOFS = 200;
const NEVER = new AbortController().signal;

/** Returns the last row of the ledger. */
async function store(warehouse: Warehouse, customerId: string): Promise<LedgerRow> {
  let last: LedgerRow | undefined;
  for (let from = 0; from < ENTRIES; from += ROWS_PER_INSERT) {
    const count = Math.min(ROWS_PER_INSERT, ENTRIES - from);
    const drafts = Array.from({ length: count }, (_, index) => ({
      ...sampleDraft(from + index, 'SIGNAL'),
      customerId,
    }));
    const rows = storedRows(drafts, undefined, last);
    await warehouse.insert(SIGNALS.name, columnNames(SIGNALS), rows.signals);
    await warehouse.insert(LEDGER.name, columnNames(LEDGER), rows.ledger);
    last = rows.ledger.at(-1);
  }
  return last!;
}

await onNewEngine(async ({ warehouse, cpuSeconds }, folder) => {
  await storeWarehouseEpoch(warehouse, { epoch: 1, setUp: 'bench' }, 0);
  const customerId = v7();
  const rows: string[][] = [];
  /** Runs `work` and records its wall-clock time, and the CPU time of this process and of the engine, in seconds. */
  async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const [own, engine, startedAt] = [process.cpuUsage(), cpuSeconds(), performance.now()];
    const result = await work();
    const { user, system } = process.cpuUsage(own);
    const wall = (performance.now() - startedAt) / 1_000;
    const seconds = [wall, (user + system) / 1e6, cpuSeconds() - engine].map((value) => value.toFixed(2));
    rows.push([name, ...seconds, Math.round(ENTRIES / wall).toLocaleString('en')]);
    return result;
  }
  const last = await timed('entries stored', () => store(warehouse, customerId));
  await timed('tree grown', () => growTree(warehouse, customerId, ENTRIES));
  const passes = passesHere({ warehouse, logEnd: async () => Number.MAX_SAFE_INTEGER });
  const pass = () => passes.run({ customerId, from: 0, to: null }, { gone: NEVER });
  const { valid, checkedEntries } = await timed('verified, reads included', pass);
  if (!valid || checkedEntries !== ENTRIES) throw new Error('the stored ledger did not verify as a whole');
  const made = await timed('package of all, verified', () => packageOfLedger(warehouse, { folder, last }));
  printTable(['', 'wall s', 'own CPU s', 'engine CPU s', 'entries/s'], rows);
  print(`the package has ${(made.sizeBytes / 2 ** 20).toFixed(0)} MiB`);
  print(`this process had ${Math.round(process.resourceUsage().maxRSS / 1_024)} MiB at most`);

  /** Durations in ms of proofs for entries across the whole ledger. */
  async function proofs(name: string, rangesOf: (draw: number) => LeafRange[]): Promise<string[]> {
    const times: number[] = [];
    for (let number = 0; number < PROOFS; number += 1) {
      const ranges = rangesOf((number * 0.618_034) % 1);
      const startedAt = performance.now();
      await treeHashes(warehouse, customerId, ranges);
      times.push(performance.now() - startedAt);
    }
    const sorted = ascending(times);
    return [name, ...[0.5, 0.95, 0.99].map((q) => quantile(sorted, q).toFixed(1))];
  }
  printTable(
    ['hashes of a proof', 'p50 ms', 'p95 ms', 'p99 ms'],
    [
      await proofs('inclusion', (draw) => inclusionRanges(Math.floor(draw * ENTRIES), ENTRIES)),
      await proofs('consistency', (draw) => consistencyRanges(1 + Math.floor(draw * (ENTRIES - 1)), ENTRIES)),
    ],
  );
});
