import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../port.ts';
import { allOf, OWNED_BY } from '../owned-by.ts';
import { REQUEST_SECONDS } from '../select-list.ts';
import { CORRELATED_SIGNAL, type CorrelatedSignalRow } from './correlations.ts';

/** Entries that the correlation fold reads once the log no longer has them, in index order. */

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** From `from` (inclusive) to `below` (exclusive). */
interface IndexRange {
  readonly from: number;
  readonly below: number;
}

const RANGE = '`index` >= {from:UInt64} AND `index` < {below:UInt64}';

/** The first `limit` signals of a range, without erased ones. */
export function correlatedBetween(
  warehouse: Warehouse,
  customerId: string,
  range: IndexRange,
  limit: number,
): Promise<CorrelatedSignalRow[]> {
  const { sql, params } = allOf(`${OWNED_BY} AND ${RANGE} AND erased != 'ALL'`, customerId, []);
  return warehouse.query<CorrelatedSignalRow>(
    `SELECT ${CORRELATED_SIGNAL} FROM signals FINAL WHERE ${sql} ORDER BY \`index\` LIMIT {limit:UInt32}
     SETTINGS use_skip_indexes_if_final = 1`,
    { ...params, ...range, limit },
    LIMITS,
  );
}

/** The core of an entry; null if it is blank. */
interface StoredCore {
  readonly index: number;
  readonly kind: LedgerKind;
  readonly core: string | null;
}

/** ERASUREs and settings of a range, which change how signals are folded. */
export const foldingEntriesBetween = (
  warehouse: Warehouse,
  customerId: string,
  range: IndexRange,
): Promise<StoredCore[]> =>
  warehouse.query<StoredCore>(
    `SELECT \`index\`, kind, core FROM entries FINAL
     WHERE customerId = {customerId:String} AND ${RANGE}
       AND (kind = 'ERASURE' OR (kind = 'POLICY_EVENT' AND startsWith(id, 'settings:')))
     ORDER BY \`index\``,
    { customerId, ...range },
    LIMITS,
  );

/** The settings in effect at ledger entry `below`; null if none were ever made. */
export async function settingsBelow(
  warehouse: Warehouse,
  customerId: string,
  below: number,
): Promise<StoredCore | null> {
  const [newest] = await warehouse.query<StoredCore>(
    `SELECT \`index\`, kind, core FROM entries FINAL
     WHERE customerId = {customerId:String} AND \`index\` < {below:UInt64}
       AND kind = 'POLICY_EVENT' AND startsWith(id, 'settings:')
     ORDER BY \`index\` DESC LIMIT 1`,
    { customerId, below },
    LIMITS,
  );
  return newest ?? null;
}
