import { readdirSync, rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { packageRoot } from '#platform/config/package-root.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { flush } from '#services/sink/flush/flush.ts';
import type { SinkStore } from '#services/sink/flush/store.ts';
import type { Head } from '#services/sink/fold/rows.ts';
import { warehouseStore } from '#services/sink/queries.ts';
import { print, printTable } from '../cli/command/output.ts';
import { flushUnits } from './load/flush-units.ts';
import { usageOf } from './load/process-usage.ts';

/**
 * What the sink's flushes cost the warehouse, and what they leave on disk:
 *
 *   npm run bench:flushes -- [--audits 1000] [--every 1000] [--flushes 60] [--before FOLDER] [--customers 24]
 *
 * Flushes of `audits` audits begin `every` ms apart on an embedded engine. `--before FOLDER`: beside it an engine with
 * the tables that the migrations of another folder make gets the same flushes in turn, and the last column is the ratio.
 */
const { values } = parseArgs({
  options: {
    audits: { type: 'string', default: '1000' },
    every: { type: 'string', default: '1000' },
    flushes: { type: 'string', default: '60' },
    customers: { type: 'string', default: '24' },
    before: { type: 'string' },
  },
});
const AUDITS = Number(values.audits);
const EVERY_MS = Number(values.every);
const FLUSHES = Number(values.flushes);
const CUSTOMERS = Number(values.customers);
/** Not counted: the engine is cold, and no merge has a reason yet. */
const WARM_UP = 10;
/** How long what merged parts replace may stay before it is counted, ms. */
const SETTLE_MS = 5_000;
const MIGRATIONS = path.join(packageRoot(), 'schemas/tables/migrations');
const silent = { info() {}, warn() {}, error() {} };

/** CPU seconds by what they were used for. */
type Seconds = Map<string, number>;

interface Subject {
  readonly name: string;
  readonly warehouse: Warehouse;
  readonly store: SinkStore;
  readonly folder: string;
  readonly engine: Seconds;
  readonly node: Seconds;
  engineSeconds(): number;
  stop(): Promise<void>;
}

const nodeSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

async function spent<T>(
  { engine, node, engineSeconds }: Pick<Subject, 'engine' | 'node' | 'engineSeconds'>,
  on: string,
  work: () => Promise<T>,
): Promise<T> {
  const [engineBefore, nodeBefore] = [engineSeconds(), nodeSeconds()];
  const result = await work();
  engine.set(on, (engine.get(on) ?? 0) + engineSeconds() - engineBefore);
  node.set(on, (node.get(on) ?? 0) + nodeSeconds() - nodeBefore);
  return result;
}

async function openSubject(name: string, root: string, migrations: string): Promise<Subject> {
  const folder = path.join(root, name);
  const embedded = await startEmbeddedWarehouse({ path: folder, logger: silent });
  const warehouse = openWarehouse({ ...embedded, logger: silent });
  await migrate(warehouse, migrations);
  const engineSeconds = (): number => usageOf(embedded.pid() ?? 0).cpuSeconds;
  const counts = { engine: new Map(), node: new Map(), engineSeconds };
  const store = warehouseStore(warehouse);
  return {
    name,
    warehouse,
    folder,
    ...counts,
    store: {
      ...store,
      ids: (wanted) => spent(counts, 'look-up of ids', () => store.ids(wanted)),
      insert: (table, rows) => spent(counts, table, () => store.insert(table, rows)),
    },
    stop: async () => {
      await warehouse.close();
      await embedded.stop();
    },
  };
}

/** Disk space that a folder's files take, in bytes: whole blocks. */
function diskBytes(folder: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    try {
      sum += entry.isDirectory() ? diskBytes(file) : statSync(file).blocks * 512;
    } catch (error) {
      // Merged away meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return sum;
}

async function run(subjects: readonly Subject[]): Promise<Map<string, number>> {
  const unitsOf = flushUnits(CUSTOMERS);
  const total = new Map<string, number>();
  const started = new Map<string, number>();
  const nothing = (): void => undefined;
  /** As the sink keeps them: identical for all subjects. */
  let heads: ReadonlyMap<string, Head> = new Map();
  for (let number = -WARM_UP; number < FLUSHES; number += 1) {
    const begunAt = performance.now();
    if (number === 0) {
      for (const { name, engine, node, engineSeconds } of subjects) {
        engine.clear();
        node.clear();
        started.set(name, engineSeconds());
      }
    }
    const units = unitsOf(AUDITS, Date.now(), heads);
    for (const { store } of number % 2 === 0 ? subjects : subjects.toReversed()) {
      const flushed = await flush(units, {
        store,
        assertMayStore: async () => undefined,
        publish: async () => undefined,
        epoch: 1,
        now: Date.now,
        crashPoint: nothing,
        metrics: {},
      });
      heads = new Map(flushed.flatMap((outcome) => [...outcome.heads]));
    }
    await sleep(Math.max(0, EVERY_MS - (performance.now() - begunAt)));
  }
  for (const { name, engineSeconds } of subjects) total.set(name, engineSeconds() - (started.get(name) ?? 0));
  return total;
}

/** Bytes an audit: on disk now, then after everything was merged. */
async function bytesOf({ warehouse, folder }: Subject): Promise<Map<string, number>> {
  const audits = (FLUSHES + WARM_UP) * AUDITS;
  const bytes = new Map([['disk, as written', diskBytes(folder) / audits]]);
  const tables = await warehouse.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
  );
  for (const { name } of tables) await warehouse.command(`OPTIMIZE TABLE ${name} FINAL`);
  const merged = await warehouse.query<{ table: string; bytes: number }>(
    `SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND database = currentDatabase() GROUP BY table HAVING bytes > 10000 ORDER BY bytes DESC`,
  );
  for (const { table, bytes: size } of merged) bytes.set(`merged, ${table}`, size / audits);
  bytes.set('merged, all tables', merged.reduce((sum, one) => sum + one.bytes, 0) / audits);
  return bytes;
}

function report(
  title: string,
  subjects: readonly Subject[],
  columns: readonly ReadonlyMap<string, number>[],
) {
  const names = new Set(columns.flatMap((column) => [...column.keys()]));
  const rows = [...names].map((name) => {
    const cells = columns.map((column) => column.get(name) ?? 0);
    const [old, now] = cells as [number, number?];
    return [name, ...cells.map((cell) => cell.toFixed(1)), now === undefined ? '' : (now / old).toFixed(2)];
  });
  printTable([title, ...subjects.map(({ name }) => name), 'ratio'], rows);
}

const root = await mkdtemp(path.join(os.tmpdir(), 'bench-flushes-'));
const subjects: Subject[] = [];
try {
  if (values.before !== undefined) subjects.push(await openSubject('before', root, values.before));
  subjects.push(await openSubject('now', root, MIGRATIONS));
  print(`${FLUSHES} flushes of ${AUDITS} audits, one every ${EVERY_MS} ms`);
  const total = await run(subjects);
  const microseconds = (seconds: number): number => (seconds * 1e6) / (FLUSHES * AUDITS);
  const perAudit = (seconds: Seconds) => [...seconds].map(([on, used]) => [on, microseconds(used)] as const);
  report(
    'engine, us an audit',
    subjects,
    subjects.map(
      ({ name, engine }) => new Map([...perAudit(engine), ['all', microseconds(total.get(name) ?? 0)]]),
    ),
  );
  report(
    'Node, us an audit',
    subjects,
    subjects.map(({ node }) => new Map(perAudit(node))),
  );
  await sleep(SETTLE_MS);
  report('bytes an audit', subjects, await Promise.all(subjects.map(bytesOf)));
} finally {
  for (const { stop } of subjects) await stop();
  rmSync(root, { recursive: true, force: true });
}
