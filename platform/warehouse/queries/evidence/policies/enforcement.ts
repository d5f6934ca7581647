import { RISK_LEVELS } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../../port.ts';
import { allOf, OWNED_BY } from '../../owned-by.ts';
import { REQUEST_SECONDS } from '../../select-list.ts';

/** What a correlator reads: folded policies and signals, and how many signals lie in a window. */

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** The core of a policy's POLICY_EVENT; null if it was erased. */
interface FoldedPolicy {
  readonly index: number;
  readonly core: string | null;
}

const POLICY_EVENTS = `customerId = {customerId:String} AND kind = 'POLICY_EVENT' AND startsWith(id, 'policy:')`;

/** Those of these customers that have ever had a policy. */
export async function customersWithPolicies(
  warehouse: Warehouse,
  customerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await warehouse.query<{ customerId: string }>(
    `SELECT DISTINCT customerId FROM entries
     WHERE customerId IN {customerIds:Array(String)} AND kind = 'POLICY_EVENT' AND startsWith(id, 'policy:')`,
    { customerIds: [...customerIds] },
    LIMITS,
  );
  return new Set(rows.map(({ customerId }) => customerId));
}

/** The newest version of each policy among the ledger's first `below` entries, without erased ones. */
export const policiesBelow = (
  warehouse: Warehouse,
  customerId: string,
  below: number,
): Promise<FoldedPolicy[]> =>
  warehouse.query<FoldedPolicy>(
    `SELECT newest.1 AS index, newest.2 AS core
     FROM (
       SELECT argMax(tuple(\`index\`, said), JSONExtractUInt(said, 'version')) AS newest
       FROM (
         SELECT \`index\`, ifNull(core, '') AS said FROM entries FINAL
         WHERE ${POLICY_EVENTS} AND \`index\` < {below:UInt64} AND core IS NOT NULL
       )
       GROUP BY JSONExtractString(said, 'policyId')
     )
     ORDER BY index`,
    { customerId, below },
    LIMITS,
  );

/** Versions of policies with indexes from `from` (inclusive) to `below` (exclusive), in index order. */
export const policiesBetween = (
  warehouse: Warehouse,
  customerId: string,
  { from, below }: { readonly from: number; readonly below: number },
): Promise<FoldedPolicy[]> =>
  warehouse.query<FoldedPolicy>(
    `SELECT \`index\`, core FROM entries FINAL
     WHERE ${POLICY_EVENTS} AND \`index\` >= {from:UInt64} AND \`index\` < {below:UInt64} ORDER BY \`index\``,
    { customerId, from, below },
    LIMITS,
  );

interface StoredSignal {
  readonly index: number;
  readonly auditId: string;
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly riskLevel: string;
  readonly violations: readonly string[];
  readonly regulation: readonly string[];
  /** Unix ms. */
  readonly at: number;
}

/**
 * The first `limit` signals with violations, with indexes from `from` (inclusive) to `below` (exclusive), in index
 * order.
 */
export function signalsBetween(
  warehouse: Warehouse,
  customerId: string,
  { from, below, limit }: { readonly from: number; readonly below: number; readonly limit: number },
): Promise<StoredSignal[]> {
  const { sql, params } = allOf(OWNED_BY, customerId, [
    ['from', '`index` >= {from:UInt64}', from],
    ['below', '`index` < {below:UInt64}', below],
  ]);
  return warehouse.query<StoredSignal>(
    `SELECT \`index\`, auditId, sandboxId, sandboxSlug, riskLevel, violations, regulation,
       toUnixTimestamp64Milli(createdAt) AS at
     FROM signals FINAL WHERE ${sql} AND riskLevel != '' AND notEmpty(violations)
     ORDER BY \`index\` LIMIT {limit:UInt32}`,
    { ...params, limit },
    LIMITS,
  );
}

/** The hash of a chain entry, lower-case hex; null if there is none at this index. */
export async function chainHashAt(
  warehouse: Warehouse,
  customerId: string,
  index: number,
): Promise<string | null> {
  const [row] = await warehouse.query<{ hash: string }>(
    'SELECT hash FROM ledger WHERE customerId = {customerId:String} AND `index` = {index:UInt64} LIMIT 1',
    { customerId, index },
    LIMITS,
  );
  return row?.hash ?? null;
}

/** The signals that a rule counts, up to an index of the ledger. */
interface CountedByRule {
  readonly customerId: string;
  /** null: any. */
  readonly code: string | null;
  readonly minRiskLevel: string;
  /** Slugs with `-` as `_`; null: all sandboxes. */
  readonly slugs: readonly string[] | null;
  readonly upTo: number;
  readonly windowMs: number;
}

/**
 * The highest number of signals in any window that ends at one of the rule's signals created between two times (Unix
 * ms, inclusive). A window includes its end and excludes its start.
 */
export async function mostInWindow(
  warehouse: Warehouse,
  { customerId, code, minRiskLevel, slugs, upTo, windowMs }: CountedByRule,
  ends: { readonly from: number; readonly to: number },
): Promise<number> {
  if (!Number.isSafeInteger(windowMs) || windowMs < 1) throw new Error('a window must be whole milliseconds');
  const levels = RISK_LEVELS.slice(RISK_LEVELS.indexOf(minRiskLevel as (typeof RISK_LEVELS)[number]));
  const { sql, params } = allOf(OWNED_BY, customerId, [
    ['upTo', '`index` <= {upTo:UInt64}', upTo],
    ['levels', 'riskLevel IN {levels:Array(String)}', levels],
    ['code', 'has(violations, {code:String})', code ?? undefined],
    ['slugs', "replaceAll(lower(sandboxSlug), '-', '_') IN {slugs:Array(String)}", slugs ?? undefined],
    ['after', "createdAt > {after:DateTime64(3, 'UTC')}", new Date(Math.max(0, ends.from - windowMs))],
    ['to', "createdAt <= {to:DateTime64(3, 'UTC')}", new Date(ends.to)],
  ]);
  const [row] = await warehouse.query<{ most: number }>(
    // Each signal enters a window at its time and leaves it one window length later. A window function's frame could
    // express this, but counts in 32 bits: 24 days in milliseconds.
    `SELECT max(signals) AS most FROM (
       SELECT at, change, sum(change) OVER (ORDER BY at RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS signals
       FROM (
         SELECT toUnixTimestamp64Milli(createdAt) + move.1 AS at, move.2 AS change FROM signals FINAL
         ARRAY JOIN [(toInt64(0), toInt64(1)), ({windowMs:Int64}, toInt64(-1))] AS move
         WHERE ${sql} AND notEmpty(violations)
       )
     ) WHERE change = 1 AND at >= {endsFrom:Int64}`,
    { ...params, windowMs, endsFrom: ends.from },
    LIMITS,
  );
  return row?.most ?? 0;
}
