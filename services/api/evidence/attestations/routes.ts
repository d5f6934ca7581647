import { viewOf } from '#records/auditors/auditor-view.ts';
import { getCoverage, listAttestations } from '#schemas/api/evidence/attestations.ts';
import { auditAttestations, auditCoverage } from '#schemas/api/evidence/auditors/auditor-view.ts';
import type { AddRoute } from '../../http/route.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { orRolledBack } from '../../operations/rolled-back.ts';
import { listAttestations as list, readCoverage } from './attestations.ts';

export function attestationRoutes(add: AddRoute, dependencies: ApiDependencies): void {
  add(listAttestations, async ({ caller, query }) => ({
    body: { success: true, ...(await orRolledBack(list(dependencies, caller.customerId, query))) },
  }));
  add(getCoverage, async ({ caller, query }) => ({
    body: { success: true, data: await orRolledBack(readCoverage(dependencies, caller.customerId, query)) },
  }));
}

/** What an auditor may read of attestations, within the limits of the token. */
export function auditorAttestationRoutes(add: AddRoute, dependencies: ApiDependencies): void {
  add(auditAttestations, async ({ caller: { customerId, auditor }, query }) => {
    const listed = list(dependencies, customerId, query, viewOf(auditor));
    return { body: { success: true, ...(await orRolledBack(listed)) } };
  });
  add(auditCoverage, async ({ caller: { customerId, auditor }, query }) => {
    const covered = readCoverage(dependencies, customerId, query, viewOf(auditor));
    return { body: { success: true, data: await orRolledBack(covered) } };
  });
}
