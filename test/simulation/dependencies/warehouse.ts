import { type Warehouse, WarehouseUnavailable } from '#platform/warehouse/port.ts';
import { groupBy } from '#schemas/group-by.ts';
import { COMPLETED_RANK } from '#schemas/tables/audit-ranks.ts';
import { type AuditRow, type EntryRow, type SignalRow, TABLES } from '#schemas/tables/tables.ts';
import type { SinkStore, SinkTable } from '#services/sink/flush/store.ts';
import type { MemoryStore } from '#services/sink/testing/memory-store.ts';
import type { Failures, Manner, Network, SimulatedProcess } from '../process.ts';
import { ATTESTATION_STATEMENTS } from './attestation-statements.ts';
import { PACKAGE_STATEMENTS } from './package-statements.ts';
import { PATTERN_STATEMENTS } from './pattern-statements.ts';
import { POLICY_STATEMENTS } from './policy-statements.ts';
import { RETENTION_STATEMENTS } from './retention-statements.ts';
import { deleteContentOf, RETURNED_STATEMENTS } from './returned-statements.ts';
import { TREE_STATEMENTS } from './tree-statements.ts';

const failures: Failures = {
  refused: () => new WarehouseUnavailable('simulated', null),
  uncertain: () => new WarehouseUnavailable('simulated', null),
};

/** The sink's statements as sent by one process. */
export function storeOfProcess(store: MemoryStore, network: Network, process: SimulatedProcess): SinkStore {
  return new Proxy(store, {
    get: (target, method) => {
      const inner = Reflect.get(target, method) as unknown;
      if (typeof inner !== 'function') return inner;
      return (...args: unknown[]) => {
        if (method !== 'insert')
          return network.call(process, 'warehouse', String(method), failures, () =>
            inner.apply(target, args),
          );
        const [table, rows] = args as [SinkTable, readonly object[]];
        const what = `insert ${rows.length} into ${table}`;
        return network.call(
          process,
          'warehouse',
          what,
          failures,
          (manner) => insert(target, table, rows, manner),
          {
            tears: 'torn insert',
          },
        );
      };
    },
  });
}

/** The column whose month partitions a table. */
const MONTH_OF = new Map(
  TABLES.flatMap(({ name, monthOf }) => (monthOf === undefined ? [] : [[name, monthOf]])),
);

/** Atomic per month, but not across months. */
async function insert(
  store: MemoryStore,
  table: SinkTable,
  rows: readonly object[],
  manner: Manner,
): Promise<void> {
  const column = MONTH_OF.get(table);
  const months = groupBy(rows as readonly Readonly<Record<string, unknown>>[], (row) =>
    column === undefined ? '' : String(row[column]).slice(0, 7),
  );
  const all = [...months.values()];
  for (const some of manner === 'torn' ? all.slice(0, all.length >> 1) : all) await store.insert(table, some);
  if (manner === 'torn') throw failures.uncertain();
}

type Params = Readonly<Record<string, unknown>>;

/** Statements outside the sink's flushes, with patterns that identify them. */
const STATEMENTS: readonly (readonly [RegExp, (store: MemoryStore, params: Params) => readonly object[]])[] =
  [
    ...RETURNED_STATEMENTS,
    ...RETENTION_STATEMENTS,
    ...PACKAGE_STATEMENTS,
    ...ATTESTATION_STATEMENTS,
    ...TREE_STATEMENTS,
    ...PATTERN_STATEMENTS,
    ...POLICY_STATEMENTS,
    [/FROM log_epochs/, () => [{ epoch: 1, setUp: 'simulated' }]],
    [
      /FROM ledger_ids\s+WHERE customerId/,
      ({ rows }, { customerId, entryId }) =>
        rows.ledger_ids.filter((row) => row.customerId === customerId && row.entryId === entryId),
    ],
    [/FROM positions\s+WHERE topic IN/, (store, { topics }) => furthest(store, topics as readonly string[])],
    [
      /FROM audits FINAL\s+WHERE customerId = \{customerId:String\} AND auditId/,
      (store, { customerId, auditId }) =>
        store.final().audits.filter((row) => row.customerId === customerId && row.auditId === auditId),
    ],
    [
      /FROM signals FINAL\s+WHERE customerId = \{customerId:String\} AND auditId/,
      (store, { customerId, auditId }) =>
        store
          .final()
          .signals.filter(
            (row) => row.customerId === customerId && row.auditId === auditId && row.erased !== 'ALL',
          ),
    ],
    [
      /FROM audits FINAL\s+WHERE customerId = \{customerId:String\} AND rank </,
      (store, { customerId }) =>
        store
          .final()
          .audits.filter((row) => row.customerId === customerId && row.rank < COMPLETED_RANK)
          .map(({ version: _version, ...row }) => row),
    ],
    [
      /SELECT customerId, groups\[1\] AS document/,
      (store, { kind, entryId }) => foldedVersions(store, String(kind), new RegExp(String(entryId))),
    ],
    [
      /FROM ledger_contradictions|FROM contradictions/,
      ({ rows }) => [
        {
          found: new Set(rows.contradictions.map((row) => `${row.epoch}/${row.partition}/${row.offset}`))
            .size,
        },
      ],
    ],
    // The deletion below leaves no hidden rows.
    [/groupUniqArray/, () => []],
  ];

/** The highest version of each document among the entries of a kind whose ids match. */
function foldedVersions({ rows }: MemoryStore, kind: string, pattern: RegExp): object[] {
  const highest = new Map<string, { customerId: string; document: string; version: number }>();
  for (const row of rows.entries) {
    const groups = row.kind === kind ? pattern.exec(row.id) : null;
    if (groups === null) continue;
    const [document = '', version = Math.max(1, Number(groups[2] ?? 1) || 1)] = [groups[1]];
    const name = `${row.customerId} ${document}`;
    if (version > (highest.get(name)?.version ?? 0))
      highest.set(name, { customerId: row.customerId, document, version });
  }
  return [...highest.values()];
}

function furthest({ rows }: MemoryStore, topics: readonly string[]): object[] {
  const best = new Map<string, (typeof rows.positions)[number]>();
  for (const row of rows.positions) {
    if (!topics.includes(row.topic)) continue;
    const name = `${row.topic}/${row.partition}`;
    const known = best.get(name);
    if (known === undefined || row.nextOffset > known.nextOffset) best.set(name, row);
  }
  return [...best.values()];
}

function answer(store: MemoryStore, sql: string, params: Params = {}): readonly object[] {
  const statement = STATEMENTS.find(([pattern]) => pattern.test(sql));
  if (statement === undefined) throw new Error(`the simulated warehouse does not know: ${sql}`);
  return statement[1](store, params);
}

/** Rows of a customer that `deleteClearContent` deletes. */
const CLEAR: Readonly<Record<string, (row: never) => boolean>> = {
  signals: ({ erased }: SignalRow) => erased !== 'ALL',
  entries: ({ kind, erased }: EntryRow) => kind !== 'ERASURE' && erased !== 'ALL',
  audits: ({ rank }: AuditRow) => rank <= COMPLETED_RANK,
  correlations: () => true,
  correlation_snapshots: () => true,
};

function command(store: MemoryStore, sql: string, params: Params = {}): void {
  if (deleteContentOf(store, sql, params)) return;
  const { customerId } = params;
  const table = /^ALTER TABLE (\w+) DELETE WHERE customerId = \{customerId:String\}/.exec(sql)?.[1] ?? '';
  const isClear = CLEAR[table] as ((row: object) => boolean) | undefined;
  if (isClear === undefined) throw new Error(`the simulated warehouse does not know: ${sql}`);
  const rows = store.rows as unknown as Record<string, { customerId: string }[]>;
  rows[table] = rows[table]!.filter((row) => row.customerId !== customerId || !isClear(row));
}

/** The warehouse as seen by one process. */
export function warehouseOfProcess(
  store: MemoryStore,
  network: Network,
  process: SimulatedProcess,
): Warehouse {
  const ask = (sql: string, params?: Params): Promise<readonly object[]> => {
    const table = /(?:FROM|TABLE) (\w+)/.exec(sql)?.[1];
    return network.call(process, 'warehouse', `query ${table}`, failures, () => answer(store, sql, params));
  };
  return {
    query: async <Row>(sql: string, params?: Params) => (await ask(sql, params)) as Row[],
    stream: async function* <Row>(sql: string, params?: Params) {
      const rows = await ask(sql, params);
      if (rows.length > 0) yield rows as Row[];
    },
    streamTuples: () => {
      throw new Error('the simulated warehouse has no tuples');
    },
    streamBytes: () => {
      throw new Error('the simulated warehouse writes no files');
    },
    insert: (table, _columns, rows) =>
      storeOfProcess(store, network, process).insert(table as SinkTable, rows),
    command: (sql, params) =>
      network.call(process, 'warehouse', 'command', failures, () => command(store, sql, params)),
    ping: () => network.call(process, 'warehouse', 'ping', failures, () => undefined),
    close: async () => undefined,
  };
}
