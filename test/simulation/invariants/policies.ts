import type { PolicyRecord } from '#records/policies/policy-record.ts';
import { policyRef } from '#records/policies/policy-record.ts';
import type { World } from '../world-of-run.ts';
import { erasedCustomers, whoseLedgerWaits } from './confirmed.ts';

/** Every confirmed version of a policy is in the ledger, and the state has it or a later one. */
export async function policyFaults(world: World): Promise<string[]> {
  const { promised, store, state, restoredAt } = world;
  const erased = await erasedCustomers(world);
  const waits = whoseLedgerWaits(world);
  const entries = new Set(
    store.rows.entries.map(({ customerId, kind, id }) => `${customerId} ${kind}:${id}`),
  );
  const faults: string[] = [];
  for (const { customerId, policyId, version, atMs } of promised.policies) {
    // A restore of an older state may lose what was confirmed before.
    if (erased.has(customerId) || (restoredAt !== null && atMs <= restoredAt)) continue;
    const stored = await state.state.documents.get<PolicyRecord>(policyRef(customerId, policyId));
    if ((stored?.value.version ?? 0) < version)
      faults.push(`version ${version} of policy ${policyId} was confirmed and is not in the state`);
    if (!waits(customerId) && !entries.has(`${customerId} POLICY_EVENT:policy:${policyId}:${version}`))
      faults.push(`version ${version} of policy ${policyId} was confirmed and is not in the ledger`);
  }
  return faults;
}
