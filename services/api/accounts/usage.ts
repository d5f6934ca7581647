import type { Usage } from '#schemas/api/accounts/usage.ts';
import type { Caller } from '../operations/caller.ts';
import type { RecordDependencies } from '../operations/dependencies.ts';

/** How much of the customer's plan is used. */
export async function readUsage(
  { state, directory, now }: RecordDependencies,
  { customerId, customer }: Pick<Caller, 'customerId' | 'customer'>,
): Promise<Usage> {
  const at = now();
  const [audits, sandboxes] = await Promise.all([
    state.admission.auditCount(customerId, at),
    directory.sandboxIds(customerId),
  ]);
  const { plan, auditQuota, sandboxQuota, ratePerSecond: rate, burst } = customer;
  return {
    plan,
    period: new Date(at).toISOString().slice(0, 7),
    audits: { used: audits, quota: auditQuota },
    sandboxes: { used: sandboxes.length, quota: sandboxQuota },
    rate,
    burst,
  };
}
