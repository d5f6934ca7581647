import { getVerification, listSigningKeys, verifyHashChain } from '#schemas/api/hash-chain.ts';
import type { ApiDependencies } from '../../dependencies.ts';
import { ApiError } from '../../errors.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { signingKeys } from '../../use-cases/evidence/signing-keys.ts';
import type { VerificationJobs } from '../../use-cases/evidence/verify/verification-jobs.ts';
import {
  planVerification,
  type VerifyDependencies,
  verifyChain,
} from '../../use-cases/evidence/verify/verify-chain.ts';

/** More entries are verified without a client who waits for the answer. */
const JOB_ABOVE = 1_000_000;
/** The name of a job says nothing to others: it is looked for among the customer's own. */
const UNKNOWN_JOB = 'No such verification, or one of long ago';

export function hashChainRoutes(
  add: AddRoute,
  dependencies: ApiDependencies & VerifyDependencies & { readonly verificationJobs: VerificationJobs },
): void {
  const { verificationJobs: jobs } = dependencies;
  add(verifyHashChain, async ({ caller: { customerId }, query, gone }) => {
    const plan = await planVerification(dependencies, customerId, query);
    if (plan.entries <= JOB_ABOVE && query.job === 'false')
      return { body: { success: true, data: await verifyChain(dependencies, customerId, plan, { gone }) } };
    const run = (watch: Parameters<typeof verifyChain>[3]) =>
      verifyChain(dependencies, customerId, plan, watch);
    const data = await jobs.begin(customerId, { mode: plan.mode, entries: plan.entries, run });
    return { statusCode: 202, body: { success: true, data } };
  });
  add(getVerification, async ({ caller, params }) => {
    const data = await jobs.find(caller.customerId, params.id);
    if (data === null) throw new ApiError('NOT_FOUND', { message: UNKNOWN_JOB });
    return { body: { success: true, data } };
  });
  add(listSigningKeys, async () => ({ body: { success: true, data: await signingKeys(dependencies) } }));
}
