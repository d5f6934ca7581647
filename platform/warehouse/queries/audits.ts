import { AUDITS, type AuditRow } from '../../../schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS, selectList } from './select-list.ts';

/** `version` only decides which row wins, and is too large for a number. */
export type FoundAudit = Omit<AuditRow, 'version'>;

const FIND = `
  SELECT ${selectList(AUDITS, ['version'])} FROM audits FINAL
  WHERE customerId = {customerId:String} AND auditId = {auditId:String}
  ORDER BY acceptedAt LIMIT 1
  SETTINGS use_skip_indexes_if_final = 1`;

/** The audit's row in the list, or null while the sink has not stored any. */
export async function findAudit(
  warehouse: Warehouse,
  customerId: string,
  auditId: string,
): Promise<FoundAudit | null> {
  const rows = await warehouse.query<FoundAudit>(
    FIND,
    { customerId, auditId },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0] ?? null;
}
