/**
 * What proving a ledger costs: `npm run bench:verify [-- entries...]`. Fills the embedded engine with a customer's
 * ledger of 100,000 entries and then of a million, grows its tree, re-derives every entry from the stored rows, and makes
 * proofs of single entries, and a package of all of them. Beside it the bare cost of SHA-256 over the same bytes, in as
 * many calls: no verifier of this format can be faster. Results: docs/performance.md.
 */
import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { canonicalJson } from '#core/evidence/canonical-json.ts';
import { HASH_BYTES } from '#core/evidence/hashing.ts';
import { sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { consistencyRanges, inclusionRanges, type LeafRange } from '#core/evidence/tree/ranges.ts';
import { packageRoot } from '#platform/config/package-root.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import { storeWarehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { treeHashes } from '#records/ledger/tree-hashes.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { LEDGER, type LedgerRow, SIGNALS } from '#schemas/tables/tables.ts';
import { passesHere } from '#services/api/evidence/chain/passes.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import { print, printTable } from '../cli/command/output.ts';
import { quantile } from './load/open-loop.ts';
import { usageOf } from './load/process-usage.ts';
import { packageOfLedger } from './package-of-ledger.ts';

const given = process.argv.slice(2).map(Number);
const SIZES = given.length > 0 ? given : [100_000, 1_000_000];
/** As large as a busy flush of the sink, ten times over: loading is not what is measured. */
const ROWS_PER_INSERT = 10_000;
const PROOFS = 200;
const EPOCH = 1;
const silent = { info() {}, warn() {}, error() {} };
const NEVER = new AbortController().signal;

const folder = await mkdtemp(path.join(os.tmpdir(), 'verify-bench-'));
const engine = await startEmbeddedWarehouse({ path: path.join(folder, 'warehouse'), logger: silent });
const warehouse = openWarehouse({ ...engine, logger: silent });

/** Wall and CPU seconds of a piece of work, by this process and by the engine. */
async function timed<T>(work: () => Promise<T>) {
  const [own, engines, begunAt] = [process.cpuUsage(), engineSeconds(), performance.now()];
  const result = await work();
  const { user, system } = process.cpuUsage(own);
  const seconds = { wall: (performance.now() - begunAt) / 1_000, own: (user + system) / 1e6 };
  return { result, ...seconds, engine: engineSeconds() - engines };
}
const engineSeconds = (): number => usageOf(engine.pid() ?? 0).cpuSeconds;

/** Lengths of everything that is hashed of an entry, in bytes: core, detail, both, leaf, link and a node of the tree. */
function hashedLengths(customerId: string): number[] {
  const draft = { ...sampleDraft(0, 'SIGNAL'), customerId };
  const { v, kind, id, at } = draft;
  const leaf = canonicalJson({ v, kind, customerId, index: 0, id, at, dataHash: '0'.repeat(2 * HASH_BYTES) });
  const tagged = (tag: string, hashes: number, text = ''): number =>
    tag.length + hashes * HASH_BYTES + Buffer.byteLength(text);
  return [
    tagged('cas/core/v1\0', 1, draft.core),
    tagged('cas/detail/v1\0', 1, draft.detail),
    tagged('cas/entry/v1\0', 2),
    tagged('\0', 0, leaf),
    tagged('cas/chain/v1\0', 2),
    tagged('\u0001', 2),
  ];
}

function hashBare(lengths: readonly number[], entries: number): number {
  const inputs = lengths.map((length) => Buffer.alloc(length, 7));
  for (let number = 0; number < entries; number += 1)
    for (const input of inputs) hash('sha256', input, 'buffer');
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Returns the last row of the ledger. */
async function store(customerId: string, entries: number): Promise<LedgerRow> {
  let last: LedgerRow | undefined;
  for (let from = 0; from < entries; from += ROWS_PER_INSERT) {
    const count = Math.min(ROWS_PER_INSERT, entries - from);
    const drafts = Array.from({ length: count }, (_, place) => ({
      ...sampleDraft(from + place, 'SIGNAL'),
      customerId,
    }));
    const rows = storedRows(drafts, undefined, last);
    await warehouse.insert(SIGNALS.name, columnNames(SIGNALS), rows.signals);
    await warehouse.insert(LEDGER.name, columnNames(LEDGER), rows.ledger);
    last = rows.ledger.at(-1);
  }
  return last!;
}

/** Times of proofs of entries all over the ledger, ms, ascending. */
async function proofTimes(customerId: string, rangesOf: (draw: number) => LeafRange[]): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < PROOFS; number += 1) {
    const ranges = rangesOf((number * 0.618_034) % 1);
    const begunAt = performance.now();
    await treeHashes(warehouse, customerId, ranges);
    times.push(performance.now() - begunAt);
  }
  return times.toSorted((one, other) => one - other);
}

async function measure(entries: number): Promise<void> {
  const customerId = v7();
  const stored = await timed(() => store(customerId, entries));
  print(`${entries.toLocaleString('en')} entries stored in ${stored.wall.toFixed(0)} s`);
  const row = (
    name: string,
    { wall, own, engine: engines }: Omit<Awaited<ReturnType<typeof timed>>, 'result'>,
  ) => [
    name,
    wall.toFixed(2),
    own.toFixed(2),
    engines.toFixed(2),
    Math.round(entries / wall).toLocaleString('en'),
  ];
  const grown = await timed(() => growTree(warehouse, customerId, entries));
  const passes = passesHere({ warehouse, logEnd: async () => Number.MAX_SAFE_INTEGER });
  const verified = await timed(() => passes.run({ customerId, from: 0, to: null }, { gone: NEVER }));
  const { valid, checkedEntries } = verified.result;
  if (!valid || checkedEntries !== entries) throw new Error('the stored ledger did not verify as a whole');
  const lengths = hashedLengths(customerId);
  const bare = await timed(async () => hashBare(lengths, entries));
  const made = await timed(() => packageOfLedger(warehouse, { folder, last: stored.result }));
  printTable(
    ['', 'wall s', 'own CPU s', 'engine CPU s', 'entries/s'],
    [
      row('tree grown', grown),
      row('verified, reads included', verified),
      row(`SHA-256 alone, ${bare.result} bytes an entry`, bare),
      row('package of all, verified', made),
    ],
  );
  const { sizeBytes, peakMiB } = made.result;
  print(`the package has ${(sizeBytes / 2 ** 20).toFixed(0)} MiB; the process had ${peakMiB} MiB at most`);
  const rows: [string, number[]][] = [
    [
      'inclusion',
      await proofTimes(customerId, (draw) => inclusionRanges(Math.floor(draw * entries), entries)),
    ],
    [
      'consistency',
      await proofTimes(customerId, (draw) =>
        consistencyRanges(1 + Math.floor(draw * (entries - 1)), entries),
      ),
    ],
  ];
  printTable(
    ['hashes of a proof', 'p50 ms', 'p95 ms', 'p99 ms'],
    rows.map(([name, times]) => [name, ...[0.5, 0.95, 0.99].map((q) => quantile(times, q).toFixed(1))]),
  );
}

try {
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
  await storeWarehouseEpoch(warehouse, { epoch: EPOCH, setUp: 'bench' }, 0);
  for (const entries of SIZES) await measure(entries);
} finally {
  await warehouse.close();
  await engine.stop();
  await rm(folder, { recursive: true });
}
