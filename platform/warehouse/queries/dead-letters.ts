import { AUDITS } from '#schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import type { FoundAudit } from './audits.ts';
import { OWNED_BY } from './owned-by.ts';
import { REQUEST_SECONDS, selectList } from './select-list.ts';

/** All given conditions must hold. Times are Unix ms, both ends inclusive. */
export interface DeadLetterFilter {
  readonly customerId: string;
  readonly sandboxId?: string | undefined;
  readonly reason?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A dead letter's position in the list: when it failed (Unix ms), and its audit id. */
export interface DeadLetterKey {
  readonly at: number;
  readonly auditId: string;
}

/** Start after this dead letter; null: start with the newest. */
type After = DeadLetterKey | null;

interface Condition {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** FINAL: only an audit's latest row counts; a dead letter's says FAILED. */
function conditionsOf(filter: DeadLetterFilter, after: After): Condition {
  const sql = [`${OWNED_BY} AND status = 'FAILED' AND NOT erased`];
  const params: Record<string, unknown> = { customerId: filter.customerId };
  const add = (name: string, condition: string, value: unknown): void => {
    if (value === undefined) return;
    sql.push(condition);
    params[name] = value;
  };
  const time = (at: number | undefined): Date | undefined => (at === undefined ? undefined : new Date(at));
  add('sandboxId', 'sandboxId = {sandboxId:String}', filter.sandboxId);
  add('reason', 'failureCode = {reason:String}', filter.reason);
  add('from', "completedAt >= {from:DateTime64(3, 'UTC')}", time(filter.from));
  add('to', "completedAt <= {to:DateTime64(3, 'UTC')}", time(filter.to));
  if (after !== null) {
    sql.push("(completedAt, auditId) < ({afterAt:DateTime64(3, 'UTC')}, {afterId:String})");
    Object.assign(params, { afterAt: new Date(after.at), afterId: after.auditId });
  }
  return { sql: sql.join(' AND '), params };
}

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** Dead letters by time of failure, newest first, equal times by audit id. */
export async function listDeadLetters(
  warehouse: Warehouse,
  filter: DeadLetterFilter,
  { offset, limit, after }: { readonly offset: number; readonly limit: number; readonly after: After },
): Promise<FoundAudit[]> {
  const { sql, params } = conditionsOf(filter, after);
  return warehouse.query<FoundAudit>(
    `SELECT ${selectList(AUDITS, ['version'])} FROM audits FINAL WHERE ${sql}
     ORDER BY completedAt DESC, auditId DESC LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...params, limit, offset },
    LIMITS,
  );
}

interface CountedReason {
  readonly reason: string;
  readonly sandboxSlug: string;
  readonly count: number;
  readonly oldestAt: string;
}

/** Number of dead letters by reason and sandbox, largest first. A sandbox never changes its slug. */
export async function countByReason(
  warehouse: Warehouse,
  filter: DeadLetterFilter,
  limit: number,
): Promise<CountedReason[]> {
  const { sql, params } = conditionsOf(filter, null);
  return warehouse.query<CountedReason>(
    `SELECT assumeNotNull(failureCode) AS reason, sandboxSlug, count() AS count,
       min(ifNull(completedAt, acceptedAt)) AS oldestAt
     FROM audits FINAL WHERE ${sql} AND failureCode IS NOT NULL GROUP BY reason, sandboxSlug
     ORDER BY count DESC, reason, sandboxSlug LIMIT {limit:UInt32}`,
    { ...params, limit },
    LIMITS,
  );
}

/** Number of dead letters; with `after`, only those after it. */
export async function countDeadLetters(
  warehouse: Warehouse,
  filter: DeadLetterFilter,
  after: After = null,
): Promise<number> {
  const { sql, params } = conditionsOf(filter, after);
  const rows = await warehouse.query<{ total: number }>(
    `SELECT count() AS total FROM audits FINAL WHERE ${sql}`,
    params,
    LIMITS,
  );
  return rows[0]?.total ?? 0;
}
