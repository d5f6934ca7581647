import { viewOf } from '#records/auditors/auditor-view.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import type { Directory } from '#records/directory.ts';
import {
  auditCheckpoint,
  auditConsistencyProof,
  auditInclusionProof,
} from '#schemas/api/evidence/auditors/auditor-view.ts';
import {
  acceptRollback,
  getCheckpoint,
  getConsistencyProof,
  getInclusionProof,
} from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { AddRoute } from '../../http/route.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { existingCustomer } from '../../operations/existing-customer.ts';
import { orRolledBack } from '../../operations/rolled-back.ts';
import { acceptRollback as giveUpLost } from './accept-rollback.ts';
import { proveConsistency, proveInclusion, shownCheckpoint } from './proofs.ts';

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
    await existingCustomer(dependencies.directory, params.id);
    const data = await giveUpLost(rollbacks, params.id, body);
    return { body: { success: true, data } };
  });
}

/** A chain is proved as a whole, whatever part the token shows. So nothing here names an entry except by its index. */
export function auditorProofRoutes(add: AddRoute, dependencies: ApiDependencies): void {
  add(auditCheckpoint, ({ caller }) => answered(shownCheckpoint(dependencies, caller.customerId)));
  add(auditInclusionProof, ({ caller: { customerId, auditor }, query }) =>
    answered(proveInclusion(dependencies, customerId, query.auditId, viewOf(auditor))),
  );
  add(auditConsistencyProof, ({ caller, query }) =>
    answered(proveConsistency(dependencies, caller.customerId, query)),
  );
}
