import { ELEVATED_LEVELS, RISK_LEVELS, type RiskLevel } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../port.ts';
import { allOf, type Condition, OWNED_BY, within } from '../owned-by.ts';
import { REQUEST_SECONDS } from '../select-list.ts';

/** What patterns over history are found in. Erased signals count nowhere; of repeated rows one does (FINAL). */

/** Times are Unix ms, both ends inclusive. */
export interface CorrelatedRange {
  readonly customerId: string;
  readonly from: number;
  readonly to: number;
  /** In lower case, with underscores for hyphens; null: all sandboxes. */
  readonly slug: string | null;
  /** Only signals with lower indexes. */
  readonly below?: number;
}

/** Signals of an hour that are equal in all of these, hour by hour. */
interface HourlyCountsRow {
  readonly riskLevel: RiskLevel;
  readonly violations: readonly string[];
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  /** Since the epoch, ascending. */
  readonly hours: readonly number[];
  readonly counts: readonly number[];
}

export interface CorrelatedSignalRow {
  readonly index: number;
  /** Audit id. */
  readonly id: string;
  /** Unix ms. */
  readonly createdAt: number;
  readonly acceptedAt: number;
  readonly riskLevel: RiskLevel;
  readonly violations: readonly string[];
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  readonly fingerprint: string | null;
}

const DAY_MS = 86_400_000;
const HOUR_SECONDS = 3_600;
/**
 * Counts of hours: 3,000 an hour over 28 days. With more a run fails with `WarehouseLimitExceeded`; the engine counts those
 * of each of its threads.
 */
const MAX_HOURLY_COUNTS = 2_000_000;

const conditionsOf = ({ customerId, from, to, slug, below }: CorrelatedRange): Condition =>
  allOf(`${OWNED_BY} AND erased != 'ALL'`, customerId, [
    ['below', '`index` < {below:UInt64}', below],
    ['slug', "replaceAll(lower(sandboxSlug), '-', '_') = {slug:String}", slug ?? undefined],
    ...within('createdAt', { from, to }),
  ]);

export async function countCorrelated(warehouse: Warehouse, range: CorrelatedRange): Promise<number> {
  const { sql, params } = conditionsOf(range);
  const [found] = await warehouse.query<{ signals: number }>(
    `SELECT count() AS signals FROM signals FINAL WHERE ${sql}`,
    params,
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return found?.signals ?? 0;
}

/** Rows that the engine sends at a time: the search counts some while it makes the next ones. */
const BLOCK_ROWS = 8_192;

/**
 * In the order in which they began, those of one hour in an order that is always the same, because of more keys than are
 * followed the first ones count. Each kind of signal comes once, with all of its hours: a row for each hour would be eight
 * times as much to send, and to sort.
 */
export function hourlyCounts(
  warehouse: Warehouse,
  range: CorrelatedRange,
  most = MAX_HOURLY_COUNTS,
): AsyncIterable<HourlyCountsRow[]> {
  const { sql, params } = conditionsOf(range);
  const kind = 'riskLevel, violations, sandboxId, sandboxSlug, provider, model';
  return warehouse.stream<HourlyCountsRow>(
    `WITH arraySort(groupArray((hour, count))) AS counted
     SELECT ${kind}, counted.1 AS hours, counted.2 AS counts
     FROM (
       SELECT intDiv(toUnixTimestamp(createdAt), ${HOUR_SECONDS}) AS hour, ${kind}, count() AS count
       FROM signals FINAL WHERE ${sql}
       GROUP BY hour, ${kind}
     )
     GROUP BY ${kind}
     ORDER BY min(hour), sandboxId, provider, model, riskLevel, violations, sandboxSlug
     SETTINGS max_rows_to_group_by = ${most}, group_by_overflow_mode = 'throw'`,
    params,
  );
}

/** Signals of a day (UTC) that have a violation and a prompt of a shape: the first six bits of its fingerprint. */
interface ShapeCountRow {
  /** Beginning of the day, Unix ms. */
  readonly day: number;
  readonly code: string;
  readonly shape: number;
  readonly count: number;
}

/** By day; within one in an order that is always the same. 64 rows a day and violation at most. */
export function shapeCounts(warehouse: Warehouse, range: CorrelatedRange): AsyncIterable<ShapeCountRow[]> {
  const { sql, params } = conditionsOf(range);
  return warehouse.stream<ShapeCountRow>(
    `SELECT intDiv(toUnixTimestamp64Milli(createdAt), ${DAY_MS}) * ${DAY_MS} AS day,
       arrayJoin(arrayDistinct(violations)) AS code,
       bitShiftRight(reinterpretAsUInt8(unhex(substring(assumeNotNull(fingerprint), 1, 2))), 2) AS shape,
       count() AS count
     FROM signals FINAL WHERE ${sql} AND notEmpty(violations) AND fingerprint IS NOT NULL
     GROUP BY day, code, shape
     ORDER BY day, code, shape`,
    params,
    { maxRows: MAX_HOURLY_COUNTS },
  );
}

/** Columns of `signals` as a `CorrelatedSignalRow`. */
export const CORRELATED_SIGNAL = `\`index\`, auditId AS id, toUnixTimestamp64Milli(createdAt) AS createdAt,
  toUnixTimestamp64Milli(acceptedAt) AS acceptedAt, riskLevel, violations, sandboxId, sandboxSlug, provider, model,
  fingerprint`;

/** A signal, or the last of `count` signals of an hour (`core/correlate/state/entries.ts` says which). */
type CountedSignalRow = Omit<CorrelatedSignalRow, 'acceptedAt'> & { readonly count: number };

/**
 * Day by day (UTC), those of a day in index order. Signals without a violation and without elevated risk are counted by hour,
 * sandbox, provider and model: they are most of all, and nobody asks for one by itself, so that such rows have no id. Each
 * signal is on one side by what never changes of it, whether it is erased between the two readings or not.
 */
export function correlatedSignals(
  warehouse: Warehouse,
  range: CorrelatedRange,
): AsyncIterable<CountedSignalRow[]> {
  return mapped(countedTuples(warehouse, range), signalOf);
}

async function* mapped<From, To>(chunks: AsyncIterable<From[]>, to: (row: From) => To): AsyncIterable<To[]> {
  for await (const chunk of chunks) yield chunk.map(to);
}

/** Columns of a `CountedSignalRow` in the order of the statement. */
type CountedTuple = readonly [
  index: number,
  id: string,
  createdAt: number,
  riskLevel: RiskLevel,
  violations: readonly string[],
  sandboxId: string,
  sandboxSlug: string,
  provider: string,
  model: string,
  fingerprint: string | null,
  count: number,
];

const signalOf = (tuple: CountedTuple): CountedSignalRow => ({
  index: tuple[0],
  id: tuple[1],
  createdAt: tuple[2],
  riskLevel: tuple[3],
  violations: tuple[4],
  sandboxId: tuple[5],
  sandboxSlug: tuple[6],
  provider: tuple[7],
  model: tuple[8],
  fingerprint: tuple[9],
  count: tuple[10],
});

function countedTuples(warehouse: Warehouse, range: CorrelatedRange): AsyncIterable<CountedTuple[]> {
  const { sql, params } = conditionsOf(range);
  const isMember = '(notEmpty(violations) OR riskLevel IN {elevated:Array(String)})';
  return warehouse.streamTuples<CountedTuple>(
    `SELECT \`index\`, id, at AS createdAt, riskLevel, violations, sandboxId, sandboxSlug, provider, model, fingerprint, count
     FROM (
       SELECT \`index\`, auditId AS id, toUnixTimestamp64Milli(createdAt) AS at, toString(riskLevel) AS riskLevel,
         violations, sandboxId, sandboxSlug, provider, model, fingerprint, toUInt64(1) AS count
       FROM signals FINAL WHERE ${sql} AND ${isMember}
       UNION ALL
       SELECT max(\`index\`), '', max(toUnixTimestamp64Milli(createdAt)), {plain:String}, [], sandboxId, sandboxSlug,
         provider, model, NULL, count()
       FROM signals FINAL WHERE ${sql} AND NOT ${isMember}
       GROUP BY toStartOfHour(createdAt), sandboxId, sandboxSlug, provider, model
     )
     ORDER BY intDiv(createdAt, ${DAY_MS}), \`index\`
     SETTINGS max_block_size = ${BLOCK_ROWS}`,
    { ...params, elevated: [...ELEVATED_LEVELS], plain: RISK_LEVELS[0] },
  );
}

interface ErasedSignal {
  readonly index: number;
  readonly erased: 'ALL' | 'DETAIL';
}

/** Those of these signals that are erased, and how far. `from`, `to`: the times that they lie between, Unix ms. */
export async function erasedAmong(
  warehouse: Warehouse,
  { customerId, from, to, indexes }: Omit<CorrelatedRange, 'slug'> & { readonly indexes: readonly number[] },
): Promise<ErasedSignal[]> {
  if (indexes.length === 0) return [];
  const { sql, params } = allOf(OWNED_BY, customerId, within('createdAt', { from, to }));
  return warehouse.query<ErasedSignal>(
    `SELECT \`index\`, erased FROM signals FINAL
     WHERE ${sql} AND erased != '' AND \`index\` IN {indexes:Array(UInt64)}
     SETTINGS use_skip_indexes_if_final = 1`,
    { ...params, indexes: [...indexes] },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
}
