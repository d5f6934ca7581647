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

/** Signals of an hour that are equal in all of these. */
interface HourlyCountRow {
  /** Beginning of the hour, Unix ms. */
  readonly hour: number;
  readonly riskLevel: RiskLevel;
  readonly violations: readonly string[];
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  readonly count: number;
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
/** Rows of hourly counts: 3,000 an hour over 28 days. Beyond it a run fails with `WarehouseLimitExceeded`. */
const MAX_HOURLY_ROWS = 2_000_000;

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

/** By hour; within one in an order that is always the same, because of more keys than are followed the first ones count. */
export function hourlyCounts(warehouse: Warehouse, range: CorrelatedRange): AsyncIterable<HourlyCountRow[]> {
  const { sql, params } = conditionsOf(range);
  return warehouse.stream<HourlyCountRow>(
    `SELECT toUnixTimestamp(toStartOfHour(createdAt)) * 1000 AS hour, riskLevel, violations, sandboxId, sandboxSlug,
       provider, model, count() AS count
     FROM signals FINAL WHERE ${sql}
     GROUP BY hour, riskLevel, violations, sandboxId, sandboxSlug, provider, model
     ORDER BY hour, sandboxId, provider, model, riskLevel, violations, sandboxSlug`,
    params,
    { maxRows: MAX_HOURLY_ROWS },
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
    { maxRows: MAX_HOURLY_ROWS },
  );
}

/** Columns of `signals` as a `CorrelatedSignalRow`. */
export const CORRELATED_SIGNAL = `\`index\`, auditId AS id, toUnixTimestamp64Milli(createdAt) AS createdAt,
  toUnixTimestamp64Milli(acceptedAt) AS acceptedAt, riskLevel, violations, sandboxId, sandboxSlug, provider, model,
  fingerprint`;

/** A signal, or the last of `count` signals of an hour (`core/correlate/entries.ts` says which). */
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
  const { sql, params } = conditionsOf(range);
  const isMember = '(notEmpty(violations) OR riskLevel IN {elevated:Array(String)})';
  return warehouse.stream<CountedSignalRow>(
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
