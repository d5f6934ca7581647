import { getCoverage, listAttestations } from '#schemas/api/evidence/attestations.ts';
import type { ApiDependencies } from '../../dependencies.ts';
import type { AddRoute } from '../../plugins/route.ts';
import {
  listAttestations as list,
  readCoverage,
} from '../../use-cases/evidence/attestations/attestations.ts';
import { orRolledBack } from './rolled-back.ts';

export function attestationRoutes(add: AddRoute, dependencies: ApiDependencies): void {
  add(listAttestations, async ({ caller, query }) => ({
    body: { success: true, ...(await orRolledBack(list(dependencies, caller.customerId, query))) },
  }));
  add(getCoverage, async ({ caller, query }) => ({
    body: { success: true, data: await orRolledBack(readCoverage(dependencies, caller.customerId, query)) },
  }));
}
