import { CORRELATIONS, type CorrelationRow } from '#schemas/tables/tables.ts';
import type { FindingStatus, FindingType } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../port.ts';
import { allOf, type Clause, type Condition, within } from '../owned-by.ts';
import { REQUEST_SECONDS, selectList } from '../select-list.ts';

/** Findings stored while folding signals. The row with the highest version of each finding counts (FINAL). */

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** All given conditions must hold. */
export interface FindingFilter {
  readonly customerId: string;
  readonly type?: FindingType | undefined;
  readonly status?: FindingStatus | undefined;
  /** Unix ms, both ends inclusive; undefined: unbounded. */
  readonly foundAt?: { readonly from?: number | undefined; readonly to?: number | undefined };
}

/** When a finding was first reported (Unix ms), and its id: the sort order of lists. */
export interface FindingKey {
  readonly foundAt: number;
  readonly id: string;
}

export interface FindingPage {
  readonly offset: number;
  readonly limit: number;
  /** Start after this one. */
  readonly after: FindingKey | null;
}

const clauses = ({ type, status, foundAt = {} }: FindingFilter): Clause[] => [
  ['type', 'type = {type:String}', type],
  ['status', 'status = {status:String}', status],
  ...within('foundAt', foundAt),
];

const conditionsOf = (filter: FindingFilter): Condition =>
  allOf('customerId = {customerId:String}', filter.customerId, clauses(filter));

/** Only the row with the highest version may match: an OPEN finding must not be found once it is CLOSED. */
const WINNERS_FIRST = 'SETTINGS optimize_move_to_prewhere_if_final = 0';

/** Number of matching findings, and for each key, whether it is a finding's or not, how many of them are newer. */
export async function countFindings(
  warehouse: Warehouse,
  filter: FindingFilter,
  keys: readonly FindingKey[],
): Promise<{ readonly total: number; readonly newer: readonly number[] }> {
  const { sql, params } = conditionsOf(filter);
  const [found] = await warehouse.query<{ total: number; newer: number[] }>(
    `SELECT count() AS total,
       sumForEach(arrayMap((at, key) -> toUInt32((toUnixTimestamp64Milli(foundAt), id) > (at, key)),
         {times:Array(Int64)}, {keys:Array(String)})) AS newer
     FROM correlations FINAL WHERE ${sql} ${WINNERS_FIRST}`,
    { ...params, times: keys.map(({ foundAt }) => foundAt), keys: keys.map(({ id }) => id) },
    LIMITS,
  );
  const { total = 0, newer = [] } = found ?? {};
  // Without rows there are no sums.
  return { total, newer: keys.map((_, index) => newer[index] ?? 0) };
}

/** Newest first, equal times by id. Reads the texts, which are most of a row, only for these findings. */
export function listFindings(
  warehouse: Warehouse,
  filter: FindingFilter,
  { offset, limit, after }: FindingPage,
): Promise<CorrelationRow[]> {
  const { sql, params } = conditionsOf(filter);
  const afterSql =
    after === null ? '' : "AND (foundAt, id) < ({afterAt:DateTime64(3, 'UTC')}, {afterId:String})";
  return warehouse.query<CorrelationRow>(
    `SELECT ${selectList(CORRELATIONS)} FROM correlations FINAL
     WHERE customerId = {customerId:String} AND id IN (
       SELECT id FROM correlations FINAL WHERE ${sql} ${afterSql}
       ORDER BY foundAt DESC, id DESC LIMIT {limit:UInt32} OFFSET {offset:UInt32}
     )
     ORDER BY foundAt DESC, id DESC ${WINNERS_FIRST}`,
    {
      ...params,
      limit,
      offset,
      ...(after === null ? {} : { afterAt: new Date(after.foundAt), afterId: after.id }),
    },
    LIMITS,
  );
}

/** Null if the customer has no finding with this id. */
export async function findFinding(
  warehouse: Warehouse,
  customerId: string,
  id: string,
): Promise<CorrelationRow | null> {
  const rows = await warehouse.query<CorrelationRow>(
    `SELECT ${selectList(CORRELATIONS)} FROM correlations FINAL
     WHERE customerId = {customerId:String} AND id = {id:String}`,
    { customerId, id },
    LIMITS,
  );
  return rows[0] ?? null;
}
