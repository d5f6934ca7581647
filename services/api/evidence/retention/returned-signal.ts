import { auditsWithContent } from '#platform/warehouse/queries/evidence/returned.ts';
import { ledgerEntry } from '#platform/warehouse/queries/ledger.ts';
import { findSignal } from '#platform/warehouse/queries/signals.ts';
import { requestBlanking } from '#records/retention/returned-content.ts';
import { erasureEntryId } from '#records/retention/signal-erasure.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';

type Dependencies = Pick<ApiDependencies, 'state' | 'warehouse'>;

/** Whether anything of an audit is served that an erasure of it takes away: its signal, or its row in the list. */
export async function isServed(
  { warehouse }: Pick<Dependencies, 'warehouse'>,
  customerId: string,
  auditId: string,
): Promise<boolean> {
  if ((await findSignal(warehouse, customerId, auditId)) !== null) return true;
  return (await auditsWithContent(warehouse, customerId, [auditId])).length > 0;
}

/** Has a sink blank again what an erasure of this audit has taken away. */
export async function blankAudit({ state, warehouse }: Dependencies, customerId: string, auditId: string) {
  // An audit that failed has no entry, and is looked for where its erasure is.
  const entry =
    (await ledgerEntry(warehouse, customerId, entryIdOf('SIGNAL', auditId))) ??
    (await ledgerEntry(warehouse, customerId, erasureEntryId(auditId)));
  if (entry !== null) await requestBlanking(state.documents, customerId, [entry.index, entry.index]);
}
