import type { Warehouse } from '#platform/warehouse/port.ts';
import type { FoundAudit } from '#platform/warehouse/queries/audits.ts';
import {
  countByReason,
  countDeadLetters,
  type DeadLetterFilter,
  type DeadLetterKey,
  listDeadLetters as listRows,
} from '#platform/warehouse/queries/dead-letters.ts';
import type { Directory } from '#records/directory.ts';
import { inSandbox } from '#records/sandboxes/in-sandbox.ts';
import type { QueryOf } from '#schemas/api/contract.ts';
import {
  type DeadLetter,
  type DeadLetterReason,
  type listDeadLetters as listContract,
  MAX_REASONS,
  type listDeadLetterReasons as reasonsContract,
} from '#schemas/api/dead-letters.ts';
import type { Pagination } from '#schemas/api/fields/paging.ts';
import type { FailureCode } from '#schemas/vocabulary.ts';
import { pageOf, pageStart, type TimeAndId, timeAndId } from '../operations/paging.ts';

/** Time of failure and audit id: the order of the list, newest first. */
export const keyOfRow = (row: FoundAudit): TimeAndId => [failedAt(row), row.auditId];
export const positionOfKey = ([at, auditId]: TimeAndId): DeadLetterKey => ({
  at: Date.parse(at),
  auditId,
});

/** A FAILED row has this time; the column is null only in other states. */
const failedAt = (row: FoundAudit): string => row.completedAt ?? row.acceptedAt;

/** The filters of a request, from its contract. */
type DeadLetterConditions = Pick<QueryOf<typeof listContract>, 'sandboxSlug' | 'reason' | 'range'>;

/** Null: no sandbox of the customer, past or present, has the slug. */
export const filterOf = (
  { directory }: { readonly directory: Directory },
  customerId: string,
  { sandboxSlug, reason, range }: DeadLetterConditions,
): Promise<DeadLetterFilter | null> => inSandbox(directory, { customerId, reason, ...range }, sandboxSlug);

export async function listDeadLetters(
  dependencies: { readonly warehouse: Warehouse; readonly directory: Directory },
  customerId: string,
  query: QueryOf<typeof listContract>,
): Promise<{ data: DeadLetter[]; pagination: Pagination }> {
  const page = pageStart(query, timeAndId);
  const filter = await filterOf(dependencies, customerId, query);
  const after = page.after === null ? null : positionOfKey(page.after);
  const [total, found] =
    filter === null
      ? [0, []]
      : await Promise.all([
          countDeadLetters(dependencies.warehouse, filter),
          listRows(dependencies.warehouse, filter, { offset: page.offset, limit: page.limit + 1, after }),
        ]);
  const { rows, pagination } = pageOf(found, total, page, keyOfRow);
  return { data: rows.map(shownDeadLetter), pagination };
}

export async function listReasons(
  dependencies: { readonly warehouse: Warehouse; readonly directory: Directory },
  customerId: string,
  query: QueryOf<typeof reasonsContract>,
): Promise<{ data: DeadLetterReason[] }> {
  const filter = await filterOf(dependencies, customerId, query);
  const found = filter === null ? [] : await countByReason(dependencies.warehouse, filter, MAX_REASONS);
  return { data: found.map(({ reason, ...counted }) => ({ ...counted, reason: reason as FailureCode })) };
}

const shownDeadLetter = (row: FoundAudit): DeadLetter => ({
  id: row.auditId,
  auditId: row.auditId,
  sandboxSlug: row.sandboxSlug,
  reason: row.failureCode as FailureCode,
  attempts: row.attempts,
  at: failedAt(row),
});
