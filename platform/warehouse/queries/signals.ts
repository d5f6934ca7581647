import { SIGNALS, type SignalRow } from '../../../schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS, selectList } from './select-list.ts';

/** All given conditions must hold. Times are Unix ms, both ends inclusive. */
export interface SignalFilter {
  readonly customerId: string;
  readonly sandboxId?: string | undefined;
  readonly provider?: string | undefined;
  readonly riskLevel?: string | undefined;
  readonly violation?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface SignalPlace {
  readonly offset: number;
  readonly limit: number;
  /** Begin behind the signal with this time (Unix ms) and audit id. */
  readonly after: { readonly createdAt: number; readonly auditId: string } | null;
}

interface Condition {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Erased signals are gone for readers; only their place in the ledger stays. */
function conditionsOf(filter: SignalFilter): Condition {
  const sql = ["customerId = {customerId:String} AND erased != 'ALL'"];
  const params: Record<string, unknown> = { customerId: filter.customerId };
  const add = (name: keyof SignalFilter, condition: string, value: unknown = filter[name]): void => {
    if (filter[name] === undefined) return;
    sql.push(condition);
    params[name] = value;
  };
  add('sandboxId', 'sandboxId = {sandboxId:String}');
  add('provider', 'provider = {provider:String}');
  add('riskLevel', 'riskLevel = {riskLevel:String}');
  add('violation', 'has(violations, {violation:String})');
  add('from', "createdAt >= {from:DateTime64(3, 'UTC')}", new Date(filter.from ?? 0));
  add('to', "createdAt <= {to:DateTime64(3, 'UTC')}", new Date(filter.to ?? 0));
  return { sql: sql.join(' AND '), params };
}

/** Signals by time, newest first; equal times by audit id. */
export async function listSignals(
  warehouse: Warehouse,
  filter: SignalFilter,
  place: SignalPlace,
): Promise<SignalRow[]> {
  const { sql, params } = conditionsOf(filter);
  const { after, limit, offset } = place;
  const behind =
    after === null ? '' : "AND (createdAt, auditId) < ({afterAt:DateTime64(3, 'UTC')}, {afterId:String})";
  return warehouse.query<SignalRow>(
    `SELECT ${selectList(SIGNALS)} FROM signals FINAL WHERE ${sql} ${behind}
     ORDER BY createdAt DESC, auditId DESC LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    {
      ...params,
      limit,
      offset,
      ...(after === null ? {} : { afterAt: new Date(after.createdAt), afterId: after.auditId }),
    },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
}

export async function countSignals(warehouse: Warehouse, filter: SignalFilter): Promise<number> {
  const { sql, params } = conditionsOf(filter);
  const rows = await warehouse.query<{ total: number }>(
    `SELECT count() AS total FROM signals FINAL WHERE ${sql}`,
    params,
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0]?.total ?? 0;
}

const FIND = `
  SELECT ${selectList(SIGNALS)} FROM signals FINAL
  WHERE customerId = {customerId:String} AND auditId = {auditId:String} AND erased != 'ALL'
  ORDER BY createdAt LIMIT 1
  SETTINGS use_skip_indexes_if_final = 1`;

export async function findSignal(
  warehouse: Warehouse,
  customerId: string,
  auditId: string,
): Promise<SignalRow | null> {
  const rows = await warehouse.query<SignalRow>(
    FIND,
    { customerId, auditId },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0] ?? null;
}
