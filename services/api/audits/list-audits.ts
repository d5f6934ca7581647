import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  type AuditFilter,
  type AuditPage,
  type ListedAuditRow,
  listAudits as listRows,
  surveyAudits,
} from '#platform/warehouse/queries/audits.ts';
import type { Directory } from '#records/directory.ts';
import { inSandbox } from '#records/sandboxes/in-sandbox.ts';
import type { ListedAudit, listAudits as listAuditsContract } from '#schemas/api/audits.ts';
import type { QueryOf } from '#schemas/api/contract.ts';
import type { Pagination } from '#schemas/api/fields/paging.ts';
import { pageOf, pageStart, type TimeAndId, timeAndId } from '../operations/paging.ts';
import { shownAudit } from '../operations/shown-audit.ts';

interface AuditListDependencies {
  readonly warehouse: Warehouse;
  readonly directory: Directory;
}

type AuditQuery = QueryOf<typeof listAuditsContract>;

/** Audits stored by the sink. */
export async function listAudits(
  dependencies: AuditListDependencies,
  customerId: string,
  query: AuditQuery,
): Promise<{ audits: ListedAudit[]; pagination: Pagination }> {
  const page = pageStart(query, timeAndId);
  const filter = await filterOf(dependencies.directory, customerId, query);
  const after =
    page.after === null ? null : { acceptedAt: Date.parse(page.after[0]), auditId: page.after[1] };
  const { total, found } =
    filter === null
      ? { total: 0, found: [] }
      : await findPage(dependencies.warehouse, filter, {
          offset: page.offset,
          limit: page.limit + 1,
          after,
        });
  const { rows, pagination } = pageOf(found, total, page, (row): TimeAndId => [row.acceptedAt, row.auditId]);
  return { audits: rows.map(shownAudit), pagination };
}

const filterOf = (
  directory: Directory,
  customerId: string,
  { sandboxSlug, provider, model, status, riskLevel, erased, range }: AuditQuery,
): Promise<AuditFilter | null> =>
  inSandbox(directory, { customerId, provider, model, status, riskLevel, erased, ...range }, sandboxSlug);

async function findPage(
  warehouse: Warehouse,
  filter: AuditFilter,
  page: AuditPage,
): Promise<{ total: number; found: ListedAuditRow[] }> {
  const { total, rows, oldest } = await surveyAudits(warehouse, filter, page);
  if (rows === 0) return { total, found: [] };
  const found = await listRows(warehouse, filter, page, oldest);
  // An audit that progressed since the count may no longer match the filter; an older one takes its place.
  return { total, found: found.length < rows ? await listRows(warehouse, filter, page, 0) : found };
}
