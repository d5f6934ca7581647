import { ELEVATED_LEVELS, RISK_LEVELS, type RiskLevel } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../port.ts';
import { allOf, type Condition, OWNED_BY, within } from '../owned-by.ts';
import { REQUEST_SECONDS } from '../select-list.ts';

/** Signals in which patterns over history are found. Erased signals are excluded; repeated rows count once (FINAL). */

/** Times are Unix ms, both ends inclusive. */
export interface CorrelatedRange {
  readonly customerId: string;
  readonly from: number;
  readonly to: number;
  /** Lower case, with underscores for hyphens; null: all sandboxes. */
  readonly slug: string | null;
  /** Only signals with an index below this. */
  readonly below?: number;
}

/** Hourly counts of signals that are equal in all of these. */
interface HourlyCountsRow {
  readonly riskLevel: RiskLevel;
  readonly violations: readonly string[];
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  /** Hours since the Unix epoch, ascending. */
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
 * Maximum number of hourly counts: 3,000 an hour over 28 days. Above it a run fails with `WarehouseLimitExceeded`; the
 * engine applies the limit to each of its threads.
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

/** Rows per block that the engine sends: the search processes one block while the engine produces the next. */
const BLOCK_ROWS = 8_192;

/**
 * Ordered by first hour, and within an hour in a fixed order, because the search follows a limited number of keys and
 * takes the first ones. Each kind of signal is one row with all of its hours: a row per hour would be eight times as
 * much to send and sort.
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

/** Signals of a day (UTC) with a violation and a prompt of this shape: the first six bits of its fingerprint. */
interface ShapeCountRow {
  /** Start of the day, Unix ms. */
  readonly day: number;
  readonly code: string;
  readonly shape: number;
  readonly count: number;
}

/** By day, in a fixed order within each day. At most 64 rows per day and violation. */
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

/** Columns of `signals` that form a `CorrelatedSignalRow`. */
export const CORRELATED_SIGNAL = `\`index\`, auditId AS id, toUnixTimestamp64Milli(createdAt) AS createdAt,
  toUnixTimestamp64Milli(acceptedAt) AS acceptedAt, riskLevel, violations, sandboxId, sandboxSlug, provider, model,
  fingerprint`;

/** One signal, or the last of `count` signals within an hour (see `core/correlate/state/entries.ts`). */
type CountedSignalRow = Omit<CorrelatedSignalRow, 'acceptedAt'> & { readonly count: number };

/**
 * Ordered by day (UTC), then by index. Signals without a violation and without elevated risk are counted by hour,
 * sandbox, provider and model: they are the majority and not looked up individually, so these rows have no id.
 * Properties that never change decide which way a signal is read, so an erasure between the two reads makes no
 * difference.
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

/** Which of these signals are erased, and to what extent. All of them lie between `from` and `to`, Unix ms. */
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
