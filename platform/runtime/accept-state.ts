import type { LiftParts } from '../directory/ledgered-documents.ts';
import { acceptOlderState } from '../directory/older-documents.ts';
import type { EventLog } from '../event-log/port.ts';
import { acceptContradictions } from './ledger-watch.ts';
import { type ComparedParts, comparedParts } from './older-state.ts';
import { refuseWhileServicesRun } from './services-run.ts';

interface AcceptParts extends ComparedParts, Omit<LiftParts, 'documents' | 'announce'> {
  readonly log: Pick<EventLog, 'members'>;
}

/**
 * Lifts a state that is older than the ledger above it, and accepts the contradictions that it made. The entries of what
 * changed wait in the outbox; the next API appends them. Answers how many documents got new versions, and how many that
 * the state does not hold were given up. Rejects with `ServicesRun` while one of the consumer groups has members. May be
 * repeated.
 */
export async function acceptState(
  parts: AcceptParts,
  groups: readonly string[],
): Promise<{ readonly lifted: number; readonly givenUp: number }> {
  await refuseWhileServicesRun(
    parts.log,
    groups,
    'an older state is accepted',
    'Nothing of the state was changed.',
  );
  const counts = await acceptOlderState({ ...parts, ...comparedParts(parts), announce: () => undefined });
  await acceptContradictions(parts);
  return counts;
}
