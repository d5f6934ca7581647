import {
  ACCEPTANCES,
  AUDITS,
  CHECKPOINTS,
  CLOSINGS,
  CONTRADICTIONS,
  CORRELATION_SNAPSHOTS,
  CORRELATIONS,
  ENTRIES,
  LEDGER,
  LEDGER_IDS,
  LOG_EPOCHS,
  POSITIONS,
  SIGNALS,
  SKIPS,
  SUBTREES,
  TABLES,
} from './tables.ts';

/** The roles that use the warehouse; an analyzer does not. */
export const WAREHOUSE_ROLES = ['api', 'sink', 'correlator', 'migrate'] as const;
export type WarehouseRole = (typeof WAREHOUSE_ROLES)[number];

const READ_BY_API = [
  ACCEPTANCES,
  AUDITS,
  CHECKPOINTS,
  CLOSINGS,
  CONTRADICTIONS,
  CORRELATIONS,
  ENTRIES,
  LEDGER,
  LEDGER_IDS,
  LOG_EPOCHS,
  POSITIONS,
  SIGNALS,
  SUBTREES,
];
const WRITTEN_BY_SINK = [
  AUDITS,
  CONTRADICTIONS,
  CORRELATIONS,
  ENTRIES,
  LEDGER,
  LEDGER_IDS,
  POSITIONS,
  SIGNALS,
  SKIPS,
  SUBTREES,
];
/** Policies, signals and the chain to compare positions with, and results of the correlation fold. */
const READ_BY_CORRELATOR = [CORRELATION_SNAPSHOTS, CORRELATIONS, ENTRIES, LEDGER, SIGNALS];
/** Progress of the correlation fold; its findings go through the log. */
const WRITTEN_BY_CORRELATOR = [CORRELATION_SNAPSHOTS];
/** Rows that the API writes itself; everything else goes through the log. */
const WRITTEN_BY_API = [CHECKPOINTS];
/** Filled by materialized views from the sink's inserts. */
const FILLED_BY_VIEWS = [ACCEPTANCES, CLOSINGS];
/** Tables with erasable content. The ledger itself is never among them. */
const SCRUBBED_BY_SINK = TABLES.filter(({ erasure }) => erasure.by !== 'NOTHING').toSorted((one, other) =>
  one.name < other.name ? -1 : 1,
);

/** The tables that a role reads or writes. */
export const TABLES_OF_ROLE = {
  api: READ_BY_API,
  sink: [...WRITTEN_BY_SINK, ...FILLED_BY_VIEWS, CORRELATION_SNAPSHOTS, LOG_EPOCHS],
  correlator: READ_BY_CORRELATOR,
} as const;

/**
 * What each role may do in a ClickHouse database, as the part of GRANT before `TO`: exactly what its statements need.
 * No role may read files, URLs or other tables, and only `migrate` may alter a table. `isCluster`: the tables are
 * replicated.
 */
export function warehouseGrants(
  database: string,
  isCluster = false,
): Readonly<Record<WarehouseRole, string[]>> {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(database)) throw new Error('invalid database name');
  const on = (right: string, tables: readonly { readonly name: string }[]): string[] =>
    tables.map(({ name }) => `${right} ON ${database}.${name}`);
  return {
    api: [...on('SELECT', TABLES_OF_ROLE.api), ...on('INSERT', WRITTEN_BY_API)],
    sink: [
      ...on('SELECT', TABLES_OF_ROLE.sink),
      ...on('INSERT', WRITTEN_BY_SINK),
      ...on('ALTER DELETE', SCRUBBED_BY_SINK),
    ],
    correlator: [...on('SELECT', TABLES_OF_ROLE.correlator), ...on('INSERT', WRITTEN_BY_CORRELATOR)],
    migrate: [
      `CREATE DATABASE ON ${database}.*`,
      `SHOW, SELECT, INSERT, CREATE TABLE, CREATE VIEW, ALTER TABLE ON ${database}.*`,
      'TABLE ENGINE ON *',
      ...(isCluster ? ['CLUSTER ON *.*', 'SELECT ON system.clusters', 'SELECT ON system.macros'] : []),
    ],
  };
}

/** Default name of a role's account. */
export const accountOf = (role: WarehouseRole): string => `cas_${role}`;

/**
 * Statements that give existing accounts exactly these rights. Idempotent: each replaces an account's rights in one
 * step.
 */
export function grantStatements(database: string, cluster: string | null): string[] {
  const where = cluster === null ? '' : ` ON CLUSTER ${cluster}`;
  const grants = warehouseGrants(database, cluster !== null);
  return WAREHOUSE_ROLES.map(
    (role) => `GRANT${where}\n  ${grants[role].join(',\n  ')}\n  TO ${accountOf(role)} WITH REPLACE OPTION;`,
  );
}
