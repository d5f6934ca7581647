import type { EventLog } from '#platform/event-log/port.ts';
import { refuseWhileServicesRun } from '#platform/wiring/services-run.ts';
import { acceptContradictions } from './ledger-watch.ts';
import type { LiftDependencies } from './older-document.ts';
import { acceptOlderState } from './older-documents.ts';
import { type ComparedStores, comparedStores } from './older-state.ts';

interface AcceptStores extends ComparedStores, Omit<LiftDependencies, 'documents' | 'announce'> {
  readonly log: Pick<EventLog, 'members'>;
}

/**
 * Raises a state that is older than the ledger above it, and accepts the contradictions that it caused. The entries of
 * what changed wait in the outbox; the next API appends them. Returns how many documents got new versions, and how many
 * that the state lacks were given up. Rejects with `ServicesRun` while one of the consumer groups has members. May be
 * repeated.
 */
export async function acceptState(
  stores: AcceptStores,
  groups: readonly string[],
): Promise<{ readonly lifted: number; readonly givenUp: number }> {
  await refuseWhileServicesRun(
    stores.log,
    groups,
    'an older state is accepted',
    'Nothing of the state was changed.',
  );
  const counts = await acceptOlderState({ ...stores, ...comparedStores(stores), announce: () => undefined });
  await acceptContradictions(stores);
  return counts;
}
