import { getCheckpoint, getConsistencyProof, getInclusionProof } from '#schemas/api/hash-chain-proofs.ts';
import type { ApiDependencies } from '../../dependencies.ts';
import { ApiError } from '../../errors.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { LedgerRolledBack } from '../../use-cases/evidence/tree/checkpoints.ts';
import { proveConsistency, proveInclusion, shownCheckpoint } from '../../use-cases/evidence/tree/proofs.ts';

async function answered<Data extends object>(work: Promise<Data>) {
  const data = await work.catch((error: unknown) => {
    throw error instanceof LedgerRolledBack ? new ApiError('LEDGER_ROLLED_BACK', { cause: error }) : error;
  });
  return { body: { success: true as const, data } };
}

export function proofRoutes(add: AddRoute, dependencies: ApiDependencies): void {
  add(getCheckpoint, ({ caller }) => answered(shownCheckpoint(dependencies, caller.customerId)));
  add(getInclusionProof, ({ caller, query }) =>
    answered(proveInclusion(dependencies, caller.customerId, query.auditId)),
  );
  add(getConsistencyProof, ({ caller, query }) =>
    answered(proveConsistency(dependencies, caller.customerId, query)),
  );
}
