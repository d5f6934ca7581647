import { AUDITS, type AuditRow } from '../../../schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS, selectList } from './select-list.ts';

/** `version` only decides which row wins, and is too large for a number. */
export type FoundAudit = Omit<AuditRow, 'version'>;

const find = (condition: string): string => `
  SELECT ${selectList(AUDITS, ['version'])} FROM audits FINAL
  WHERE customerId = {customerId:String} AND auditId = {auditId:String} ${condition}
  ORDER BY acceptedAt LIMIT 1
  SETTINGS use_skip_indexes_if_final = 1`;

const FIND = find('');
/** With the time of acceptance the primary key names the row; without it every granule of the customer is a candidate. */
const FIND_AT = find("AND acceptedAt = {acceptedAt:DateTime64(3, 'UTC')}");

/**
 * The audit's row in the list, or null while the sink has not stored any. `acceptedAt` (Unix ms): look only there;
 * null: wherever it is.
 */
export async function findAudit(
  warehouse: Warehouse,
  customerId: string,
  auditId: string,
  acceptedAt: number | null,
): Promise<FoundAudit | null> {
  const rows = await warehouse.query<FoundAudit>(
    acceptedAt === null ? FIND : FIND_AT,
    { customerId, auditId, ...(acceptedAt === null ? {} : { acceptedAt: new Date(acceptedAt) }) },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0] ?? null;
}
