import { auditsWithContent } from '#platform/warehouse/queries/evidence/returned.ts';
import { ledgerEntry } from '#platform/warehouse/queries/ledger.ts';
import { findSignal } from '#platform/warehouse/queries/signals.ts';
import { requestBlanking } from '#records/retention/returned-content.ts';
import { erasureEntryId } from '#records/retention/signal-erasure.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';

type Dependencies = Pick<ApiDependencies, 'state' | 'warehouse'>;

/** Whether any erased content of an audit is served: its signal, or its row in the list. */
export async function isServed(
  { warehouse }: Pick<Dependencies, 'warehouse'>,
  customerId: string,
  auditId: string,
): Promise<boolean> {
  if ((await findSignal(warehouse, customerId, auditId)) !== null) return true;
  return (await auditsWithContent(warehouse, customerId, [auditId])).length > 0;
}

/** Requests a sink to blank the erased content of this audit again. */
export async function blankAudit({ state, warehouse }: Dependencies, customerId: string, auditId: string) {
  // A failed audit has no entry; it is looked up where its erasure is.
  const entry =
    (await ledgerEntry(warehouse, customerId, entryIdOf('SIGNAL', auditId))) ??
    (await ledgerEntry(warehouse, customerId, erasureEntryId(auditId)));
  if (entry !== null) await requestBlanking(state.documents, customerId, [entry.index, entry.index]);
}
