import {
  acceptRollback,
  getCheckpoint,
  getConsistencyProof,
  getInclusionProof,
} from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { Directory } from '#services/customers/directory.ts';
import { entryMaker } from '#services/customers/entry-maker.ts';
import type { ApiDependencies } from '../../dependencies.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { proveConsistency, proveInclusion, shownCheckpoint } from '../../use-cases/evidence/tree/proofs.ts';
import { acceptRollback as giveUpLost } from '../../use-cases/operators/accept-rollback.ts';
import { readCustomer } from '../../use-cases/operators/customers.ts';
import { orRolledBack } from './rolled-back.ts';

async function answered<Data extends object>(work: Promise<Data>) {
  return { body: { success: true as const, data: await orRolledBack(work) } };
}

export function proofRoutes(
  add: AddRoute,
  dependencies: ApiDependencies & { readonly directory: Directory },
): void {
  const rollbacks = { ...dependencies, makeEntry: entryMaker(dependencies) };
  add(getCheckpoint, ({ caller }) => answered(shownCheckpoint(dependencies, caller.customerId)));
  add(getInclusionProof, ({ caller, query }) =>
    answered(proveInclusion(dependencies, caller.customerId, query.auditId)),
  );
  add(getConsistencyProof, ({ caller, query }) =>
    answered(proveConsistency(dependencies, caller.customerId, query)),
  );
  add(acceptRollback, async ({ params, body }) => {
    await readCustomer(dependencies, params.id);
    const data = await giveUpLost(rollbacks, params.id, body);
    return { body: { success: true, data } };
  });
}
