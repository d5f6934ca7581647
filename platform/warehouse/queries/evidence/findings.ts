import { CORRELATIONS, type CorrelationRow } from '#schemas/tables/tables.ts';
import type { FindingStatus, FindingType } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../port.ts';
import { allOf, type Clause, type Condition, within } from '../owned-by.ts';
import { REQUEST_SECONDS, selectList } from '../select-list.ts';

/** What was found as signals were folded. Of the rows of one finding that of the highest version counts (FINAL). */

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** All given conditions must hold. */
export interface FindingFilter {
  readonly customerId: string;
  readonly type?: FindingType | undefined;
  readonly status?: FindingStatus | undefined;
  /** Unix ms, both ends inclusive; undefined: unbounded. */
  readonly foundAt?: { readonly from?: number | undefined; readonly to?: number | undefined };
}

/** When a finding was first told (Unix ms), and its id: the order of lists. */
export interface FindingKey {
  readonly foundAt: number;
  readonly id: string;
}

export interface FindingPlace {
  readonly offset: number;
  readonly limit: number;
  /** Begin after this one. */
  readonly after: FindingKey | null;
}

const clauses = ({ type, status, foundAt = {} }: FindingFilter): Clause[] => [
  ['type', 'type = {type:String}', type],
  ['status', 'status = {status:String}', status],
  ...within('foundAt', foundAt),
];

const conditionsOf = (filter: FindingFilter): Condition =>
  allOf('customerId = {customerId:String}', filter.customerId, clauses(filter));

/** Only the row of the highest version may match: an OPEN finding must not be found once it is CLOSED. */
const WINNERS_FIRST = 'SETTINGS optimize_move_to_prewhere_if_final = 0';

/** Findings that match; and of each of these keys, whether of findings or not, how many of them are newer. */
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
  // Of no rows there is no sum for each key.
  return { total, newer: keys.map((_, place) => newer[place] ?? 0) };
}

/** The newest first; equal times by id. Their texts, nearly all of a row, are read of these alone. */
export function listFindings(
  warehouse: Warehouse,
  filter: FindingFilter,
  { offset, limit, after }: FindingPlace,
): Promise<CorrelationRow[]> {
  const { sql, params } = conditionsOf(filter);
  const behind =
    after === null ? '' : "AND (foundAt, id) < ({afterAt:DateTime64(3, 'UTC')}, {afterId:String})";
  return warehouse.query<CorrelationRow>(
    `SELECT ${selectList(CORRELATIONS)} FROM correlations FINAL
     WHERE customerId = {customerId:String} AND id IN (
       SELECT id FROM correlations FINAL WHERE ${sql} ${behind}
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

/** Null: the customer has none of this id. */
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
