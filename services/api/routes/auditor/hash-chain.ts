import {
  type AuditorVerification,
  type AuditorVerificationJob,
  auditCheckpoint,
  auditConsistencyProof,
  auditHashChain,
  auditInclusionProof,
  auditSigningKeys,
  auditVerification,
} from '#schemas/api/evidence/auditors/auditor-view.ts';
import type { Verification, VerificationJob } from '#schemas/api/evidence/hash-chain.ts';
import type { ApiDependencies } from '../../dependencies.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { viewOf } from '../../use-cases/auditors/auditor-view.ts';
import { signingKeys } from '../../use-cases/evidence/signing-keys.ts';
import { proveConsistency, proveInclusion, shownCheckpoint } from '../../use-cases/evidence/tree/proofs.ts';
import type { VerifyDependencies } from '../../use-cases/evidence/verify/verify-chain.ts';
import { findVerification, type VerificationDependencies, verify } from '../evidence/hash-chain.ts';
import { orRolledBack } from '../evidence/rolled-back.ts';

/** A chain is proved as a whole, whatever the token shows of it; so nothing here names an entry but by its place. */
export function auditorChainRoutes(
  add: AddRoute,
  dependencies: ApiDependencies & VerifyDependencies & VerificationDependencies,
): void {
  add(auditHashChain, async ({ caller: { customerId }, query, gone }) => {
    const verified = await verify(dependencies, customerId, query, gone);
    return 'job' in verified
      ? { statusCode: 202, body: { success: true, data: jobWithoutIds(verified.job) } }
      : { body: { success: true, data: withoutIds(verified.result) } };
  });
  add(auditVerification, async ({ caller, params }) => {
    const job = await findVerification(dependencies, caller.customerId, params.id);
    return { body: { success: true, data: jobWithoutIds(job) } };
  });
  add(auditSigningKeys, async () => ({ body: { success: true, data: await signingKeys(dependencies) } }));
  add(auditCheckpoint, async ({ caller }) => ({
    body: { success: true, data: await orRolledBack(shownCheckpoint(dependencies, caller.customerId)) },
  }));
  add(auditInclusionProof, async ({ caller: { customerId, auditor }, query }) => {
    const proof = proveInclusion(dependencies, customerId, query.auditId, viewOf(auditor));
    return { body: { success: true, data: await orRolledBack(proof) } };
  });
  add(auditConsistencyProof, async ({ caller, query }) => {
    const proof = proveConsistency(dependencies, caller.customerId, query);
    return { body: { success: true, data: await orRolledBack(proof) } };
  });
}

const withoutId = ({ index, reason }: Verification['errors'][number]) => ({ index, reason });

const withoutIds = (verified: Verification): AuditorVerification => ({
  ...verified,
  brokenAt: verified.brokenAt === null ? null : withoutId(verified.brokenAt),
  errors: verified.errors.map(withoutId),
});

const jobWithoutIds = (job: VerificationJob): AuditorVerificationJob => ({
  ...job,
  result: job.result === null ? null : withoutIds(job.result),
});
