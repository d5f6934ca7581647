import {
  ENTRIES,
  type EntryRow,
  LEDGER,
  type LedgerRow,
  SIGNALS,
  type SignalRow,
} from '#schemas/tables/tables.ts';
import type { Warehouse } from '../../port.ts';
import type { Condition } from '../owned-by.ts';
import { selectList } from '../select-list.ts';
import { type CountedSignals, conditionsOf } from './attestations.ts';

/** Contents of an evidence package. Long histories are read in steps of the ledger's index, with one statement each. */

const LIMITS = { maxExecutionSeconds: 60 } as const;

/** The signals of a package. `sandboxes` null: of all sandboxes. */
export interface PackedSignals extends CountedSignals {
  readonly sandboxes: readonly string[] | null;
}

/** How many there are, and their range in the ledger; null if there are none. */
export interface PackedRange {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

interface Extent {
  readonly entries: number;
  readonly first: number;
  readonly last: number;
}

const rangeOf = (rows: readonly Extent[]): PackedRange | null => {
  const [found] = rows;
  if (found === undefined || found.entries === 0) return null;
  return { count: found.entries, first: found.first, last: found.last };
};

function packed({ sandboxes, ...counted }: PackedSignals): Condition {
  const { sql, params } = conditionsOf(counted);
  if (sandboxes === null) return { sql, params };
  return { sql: `${sql} AND sandboxId IN {sandboxes:Array(String)}`, params: { ...params, sandboxes } };
}

export async function packedSignals(warehouse: Warehouse, of: PackedSignals): Promise<PackedRange | null> {
  const { sql, params } = packed(of);
  return rangeOf(
    await warehouse.query<Extent>(
      `SELECT count() AS entries, min(\`index\`) AS first, max(\`index\`) AS last FROM signals FINAL WHERE ${sql}`,
      params,
      LIMITS,
    ),
  );
}

/** Signals of the package with an index from `from` (inclusive) to `to` (exclusive), in index order. */
export function packedSignalRows(
  warehouse: Warehouse,
  of: PackedSignals,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<SignalRow[]> {
  const { sql, params } = packed(of);
  return warehouse.query<SignalRow>(
    `SELECT ${selectList(SIGNALS)} FROM signals FINAL
     WHERE ${sql} AND \`index\` >= {first:UInt64} AND \`index\` < {end:UInt64}
     ORDER BY \`index\` SETTINGS use_skip_indexes_if_final = 1`,
    { ...params, first: from, end: to },
    LIMITS,
  );
}

/** Every status change, below the checkpoint, of the incidents of the package's signals. */
function packedMoves(of: PackedSignals): Condition {
  const { sql, params } = packed(of);
  return {
    sql: `customerId = {customerId:String} AND kind = 'INCIDENT_EVENT' AND \`index\` < {below:UInt64} AND core IS NOT NULL
      AND JSONExtractString(assumeNotNull(core), 'signalId') IN (SELECT auditId FROM signals FINAL WHERE ${sql})`,
    params,
  };
}

export async function packedIncidentMoves(
  warehouse: Warehouse,
  of: PackedSignals,
): Promise<PackedRange | null> {
  const { sql, params } = packedMoves(of);
  return rangeOf(
    await warehouse.query<Extent>(
      `SELECT count() AS entries, min(\`index\`) AS first, max(\`index\`) AS last FROM entries FINAL WHERE ${sql}`,
      params,
      LIMITS,
    ),
  );
}

/** At most `limit` status changes after index `after`, in index order. */
export function packedIncidentRows(
  warehouse: Warehouse,
  of: PackedSignals,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EntryRow[]> {
  const { sql, params } = packedMoves(of);
  return warehouse.query<EntryRow>(
    `SELECT ${selectList(ENTRIES)} FROM entries FINAL WHERE ${sql} AND \`index\` > {after:Int64}
     ORDER BY \`index\` LIMIT {limit:UInt32}`,
    { ...params, after, limit },
    LIMITS,
  );
}

/** Range of a period's entries among the ledger's first `below` entries. Times are Unix ms, both ends inclusive. */
export async function entriesOfPeriod(
  warehouse: Warehouse,
  customerId: string,
  { below, from, to }: { readonly below: number; readonly from: number; readonly to: number },
): Promise<PackedRange | null> {
  return rangeOf(
    await warehouse.query<Extent>(
      `SELECT count() AS entries, min(\`index\`) AS first, max(\`index\`) AS last FROM ${LEDGER.name}
       WHERE customerId = {customerId:String} AND \`index\` < {below:UInt64}
         AND at >= {from:DateTime64(3, 'UTC')} AND at <= {to:DateTime64(3, 'UTC')}`,
      { customerId, below, from: new Date(from), to: new Date(to) },
      LIMITS,
    ),
  );
}

/** Entries from `from` (inclusive) to `to` (exclusive), in index order; identical copies of a row are one. */
export const ledgerEntriesOf = (
  warehouse: Warehouse,
  customerId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<LedgerRow[]> =>
  warehouse.query<LedgerRow>(
    `SELECT DISTINCT ${selectList(LEDGER)} FROM ${LEDGER.name}
     WHERE customerId = {customerId:String} AND \`index\` >= {from:UInt64} AND \`index\` < {to:UInt64}
     ORDER BY \`index\``,
    { customerId, from, to },
    LIMITS,
  );

/** Whether all entries from `from` (inclusive) to `to` (exclusive) are about evidence packages. */
export async function areOfPackages(
  warehouse: Warehouse,
  customerId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  if (from >= to) return true;
  const [found] = await warehouse.query<{ others: number }>(
    `SELECT countIf(NOT (kind = 'EVIDENCE_EVENT' AND startsWith(id, 'package:'))) AS others FROM ${LEDGER.name}
     WHERE customerId = {customerId:String} AND \`index\` >= {from:UInt64} AND \`index\` < {to:UInt64}`,
    { customerId, from, to },
    LIMITS,
  );
  return found?.others === 0;
}

/** Cores of the ERASUREs stored at index `from` or above. */
export async function erasuresFrom(
  warehouse: Warehouse,
  customerId: string,
  from: number,
): Promise<string[]> {
  const rows = await warehouse.query<{ core: string }>(
    `SELECT assumeNotNull(core) AS core FROM ${ENTRIES.name}
     WHERE customerId = {customerId:String} AND kind = 'ERASURE' AND \`index\` >= {from:UInt64} AND core IS NOT NULL
     ORDER BY \`index\``,
    { customerId, from },
    LIMITS,
  );
  return rows.map(({ core }) => core);
}
