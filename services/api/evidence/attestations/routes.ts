import { getCoverage, listAttestations } from '#schemas/api/evidence/attestations.ts';
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
