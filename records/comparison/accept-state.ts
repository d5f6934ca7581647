import type { EventLog } from '#platform/event-log/port.ts';
import type { DocumentSeals } from '#platform/sealing/document-seals.ts';
import type { RaiseDependencies } from '../changes/older-document.ts';
import { refuseWhileServicesRun } from '../epoch/services-run.ts';
import type { ChangedDocument } from './changed-documents.ts';
import { acceptContradictions } from './ledger-watch.ts';
import { acceptOlderState } from './older-documents.ts';
import { type ComparedStores, comparedStores } from './older-state.ts';
import { acceptChangedDocuments } from './seal-state.ts';

interface AcceptStores extends ComparedStores, Omit<RaiseDependencies, 'documents' | 'announce'> {
  readonly log: Pick<EventLog, 'members' | 'bounds' | 'readFrom'>;
}

/**
 * Raises a state that is older than the ledger above it, and accepts the contradictions that it caused. The entries for
 * the changes wait in the outbox; the next API appends them. Returns how many documents got new versions, and how many
 * documents missing in the state were given up. Rejects with `ServicesRun` while one of the consumer groups has
 * members. May be repeated.
 */
export async function acceptState(
  stores: AcceptStores,
  groups: readonly string[],
): Promise<{ readonly lifted: number; readonly givenUp: number }> {
  await refuseWhileServicesRun(
    stores.log,
    groups,
    'the older state is being accepted',
    'The state was not changed.',
  );
  const counts = await acceptOlderState({ ...stores, ...comparedStores(stores), announce: () => undefined });
  await acceptContradictions(stores);
  return counts;
}

/**
 * Accepts documents that were changed outside the service (`acceptChangedDocuments`). Rejects with `ServicesRun` while
 * one of the consumer groups has members. May be repeated.
 */
export async function acceptChangedState(
  stores: AcceptStores & { readonly seals: DocumentSeals },
  groups: readonly string[],
  onFound: (changed: ChangedDocument) => void,
): ReturnType<typeof acceptChangedDocuments> {
  await refuseWhileServicesRun(
    stores.log,
    groups,
    'changed documents are accepted',
    'The state was not changed.',
  );
  const { documents } = stores.state;
  return acceptChangedDocuments({ ...stores, documents, announce: () => undefined }, onFound);
}
