import { signingKeys } from '#records/ledger/signing-keys.ts';
import {
  type AuditorVerification,
  type AuditorVerificationJob,
  auditHashChain,
  auditSigningKeys,
  auditVerification,
} from '#schemas/api/evidence/auditors/auditor-view.ts';
import type { Verification, VerificationJob } from '#schemas/api/evidence/hash-chain.ts';
import type { AddRoute } from '../../http/route.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { findVerification, type VerificationDependencies, verify } from './routes.ts';
import type { VerifyDependencies } from './verify-chain.ts';

/**
 * A chain is verified as a whole, whatever part the token shows. So nothing here names an entry except by its index.
 */
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
