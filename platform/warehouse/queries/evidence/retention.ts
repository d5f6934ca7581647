import type { RetentionAction } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../port.ts';
import { REQUEST_SECONDS } from '../select-list.ts';

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

export interface DueSignal {
  readonly auditId: string;
  readonly index: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/**
 * Signals of these sandboxes created at or before `until` (Unix ms), after `after`, oldest first. `action` DELETE: all
 * that are not erased; ANONYMIZE: those that still have their detail.
 */
export function dueSignals(
  warehouse: Warehouse,
  customerId: string,
  {
    sandboxIds,
    action,
    until,
    after,
    limit,
  }: {
    readonly sandboxIds: readonly string[];
    readonly action: RetentionAction;
    readonly until: number;
    readonly after: { readonly createdAt: number; readonly auditId: string } | null;
    readonly limit: number;
  },
): Promise<DueSignal[]> {
  const left = action === 'DELETE' ? "erased != 'ALL'" : "erased = ''";
  const afterSql =
    after === null
      ? ''
      : `AND createdAt >= {afterAt:DateTime64(3, 'UTC')}
         AND (createdAt, auditId) > ({afterAt:DateTime64(3, 'UTC')}, {afterId:String})`;
  return warehouse.query<DueSignal>(
    `SELECT auditId, \`index\`, createdAt FROM signals FINAL
     WHERE customerId = {customerId:String} AND createdAt <= {until:DateTime64(3, 'UTC')} ${afterSql}
       AND ${left} AND sandboxId IN {sandboxIds:Array(String)}
     ORDER BY createdAt, auditId LIMIT {limit:UInt32}`,
    {
      customerId,
      until: new Date(until),
      sandboxIds: [...sandboxIds],
      limit,
      ...(after === null ? {} : { afterAt: new Date(after.createdAt), afterId: after.auditId }),
    },
    LIMITS,
  );
}

/** Signals of a sandbox are due when created at or before these times, Unix ms; -1: none. */
interface SandboxTimes {
  readonly sandboxId: string;
  readonly deleteUntil: number;
  readonly anonymizeUntil: number;
}

export interface SandboxSignals {
  readonly sandboxId: string;
  readonly signals: number;
  /** ISO 8601. */
  readonly oldestAt: string;
  /** Signals that are due, and signals that have been due for `lateMs`. */
  readonly due: number;
  readonly overdue: number;
}

/** Number of signals that are not erased, by sandbox, and how many of them are due. */
export function signalsBySandbox(
  warehouse: Warehouse,
  customerId: string,
  times: readonly SandboxTimes[],
  lateMs: number,
): Promise<SandboxSignals[]> {
  const until = (name: string): string =>
    `transform(sandboxId, {ids:Array(String)}, {${name}:Array(Int64)}, toInt64(-1))`;
  const over = (late: string): string =>
    `countIf(at + ${late} <= ${until('deletes')} OR (erased = '' AND at + ${late} <= ${until('anonymizes')}))`;
  // The engine refuses empty lists.
  const all = times.length === 0 ? [{ sandboxId: '', deleteUntil: -1, anonymizeUntil: -1 }] : times;
  return warehouse.query<SandboxSignals>(
    `WITH toUnixTimestamp64Milli(createdAt) AS at
     SELECT sandboxId, count() AS signals, min(createdAt) AS oldestAt,
       ${over('0')} AS due, ${over('{lateMs:Int64}')} AS overdue
     FROM signals FINAL WHERE customerId = {customerId:String} AND erased != 'ALL'
     GROUP BY sandboxId`,
    {
      customerId,
      lateMs,
      ids: all.map(({ sandboxId }) => sandboxId),
      deletes: all.map(({ deleteUntil }) => deleteUntil),
      anonymizes: all.map(({ anonymizeUntil }) => anonymizeUntil),
    },
    LIMITS,
  );
}

/** Number of the customer's erased signals. */
export async function countErased(warehouse: Warehouse, customerId: string): Promise<number> {
  const rows = await warehouse.query<{ erasedTotal: number }>(
    `SELECT count() AS erasedTotal FROM signals FINAL
     WHERE customerId = {customerId:String} AND erased = 'ALL'`,
    { customerId },
    LIMITS,
  );
  return rows[0]?.erasedTotal ?? 0;
}

/** All frameworks that any folded version of each of the customer's sandboxes named. */
export const namedFrameworks = (
  warehouse: Warehouse,
  customerId: string,
): Promise<{ sandboxId: string; frameworks: string[] }[]> =>
  warehouse.query(
    `SELECT JSONExtractString(assumeNotNull(core), 'sandboxId') AS sandboxId,
       groupUniqArrayArray(JSONExtract(assumeNotNull(core), 'regulations', 'Array(String)')) AS frameworks
     FROM entries
     WHERE customerId = {customerId:String} AND kind = 'POLICY_EVENT' AND startsWith(id, 'sandbox:')
       AND core IS NOT NULL
     GROUP BY sandboxId`,
    { customerId },
    LIMITS,
  );
