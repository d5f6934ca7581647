import { floorOf, reaches } from '#core/evidence/retention/policies.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { DocumentWrite } from '#platform/state/port.ts';
import type { Directory } from '#records/directory.ts';
import { openIncidentOf } from '#records/incidents/incident-index.ts';
import { readHolds } from '#records/retention/legal-holds.ts';
import { retentionPolicies } from '#records/retention/policy-record.ts';
import { noOpenIncident } from '#records/retention/signal-erasure.ts';
import type { ErasureReason } from '#schemas/vocabulary.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import type { ErasableAudit } from './erasable-audit.ts';
import { namedSandboxes } from './named-sandboxes.ts';

const DAY_MS = 86_400_000;

interface Asked {
  readonly customerId: string;
  readonly signalId: string;
  readonly reason: ErasureReason;
}

/**
 * Refuses to erase what a hold, a framework or an incident keeps. Resolves to the versions that the write of the
 * erasure must compare, so that a hold or an incident created meanwhile wins.
 */
export async function refuseKept(
  dependencies: Pick<ApiDependencies, 'state' | 'warehouse' | 'now'> & { readonly directory: Directory },
  { customerId, signalId, reason }: Asked,
  audit: ErasableAudit,
): Promise<readonly DocumentWrite[]> {
  const { documents } = dependencies.state;
  const { holds, compared } = await readHolds(documents, customerId);
  const isAsked = reason === 'DATA_SUBJECT_REQUEST';
  const policies = isAsked ? [] : await retentionPolicies(documents, customerId);
  if (holds.length > 0 || policies.length > 0) {
    const sandbox = await (await namedSandboxes(dependencies, customerId))(audit.sandboxId);
    if (holds.some((hold) => reaches(hold, sandbox))) throw new Refusal('LEGAL_HOLD');
    const until = audit.createdAt + floorOf(policies, sandbox) * DAY_MS;
    // A failed audit has no signal for a framework to require.
    if (audit.signal && dependencies.now() < until) throw new Refusal('RETENTION_ACTIVE');
  }
  if (isAsked) return [compared];
  if ((await openIncidentOf(documents, customerId, signalId)) !== null)
    throw new Refusal('INCIDENT_OPEN', {
      message:
        'The signal has an open incident. Close it first, or send reason=DATA_SUBJECT_REQUEST if the data subject requested the erasure.',
    });
  return [compared, noOpenIncident(signalId)];
}
