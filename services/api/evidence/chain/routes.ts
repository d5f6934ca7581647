import { Refusal } from '#platform/flow/refusal.ts';
import { signingKeys } from '#records/ledger/signing-keys.ts';
import {
  getVerification,
  listSigningKeys,
  type Verification,
  type VerificationJob,
  verifyHashChain,
} from '#schemas/api/evidence/hash-chain.ts';
import type { AddRoute } from '../../http/route.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import type { VerificationRequest } from './plan-passes.ts';
import type { VerificationJobs } from './verification-jobs.ts';
import { planVerification, type VerifyDependencies, verifyChain } from './verify-chain.ts';

/** Above this many entries a verification runs as a job, so that no client waits for it. */
const JOB_ABOVE = 1_000_000;
/** A job's id is useless to others: it is looked up among the customer's own jobs. */
const UNKNOWN_JOB = 'Verification not found. Only the last five are kept.';

export interface VerificationDependencies {
  readonly verificationJobs: VerificationJobs;
}

export function hashChainRoutes(
  add: AddRoute,
  dependencies: ApiDependencies & VerifyDependencies & VerificationDependencies,
): void {
  add(verifyHashChain, async ({ caller: { customerId }, query, gone }) => {
    const verified = await verify(dependencies, customerId, query, gone);
    return 'job' in verified
      ? { statusCode: 202, body: { success: true, data: verified.job } }
      : { body: { success: true, data: verified.result } };
  });
  add(getVerification, async ({ caller, params }) => ({
    body: { success: true, data: await findVerification(dependencies, caller.customerId, params.id) },
  }));
  add(listSigningKeys, async () => ({ body: { success: true, data: await signingKeys(dependencies) } }));
}

/** The result, or the job that computes it. */
export async function verify(
  dependencies: VerifyDependencies & VerificationDependencies,
  customerId: string,
  query: VerificationRequest & { readonly job: 'true' | 'false' },
  gone: AbortSignal,
): Promise<{ readonly result: Verification } | { readonly job: VerificationJob }> {
  const plan = await planVerification(dependencies, customerId, query);
  if (plan.entries <= JOB_ABOVE && query.job === 'false')
    return { result: await verifyChain(dependencies, customerId, plan, { gone }) };
  const run = (watch: Parameters<typeof verifyChain>[3]) =>
    verifyChain(dependencies, customerId, plan, watch);
  const { mode, entries } = plan;
  return { job: await dependencies.verificationJobs.begin(customerId, { mode, entries, run }) };
}

export async function findVerification(
  { verificationJobs }: VerificationDependencies,
  customerId: string,
  id: string,
): Promise<VerificationJob> {
  const job = await verificationJobs.find(customerId, id);
  if (job === null) throw new Refusal('NOT_FOUND', { message: UNKNOWN_JOB });
  return job;
}
