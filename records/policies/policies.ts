import type { DateRange } from '#schemas/api/fields/dates.ts';
import { createdWithin } from '../changes/created-within.ts';
import { type ChangedPolicy, changePolicy, deletePolicy, type PolicyChange } from './change-policy.ts';
import { type CreatedPolicy, createPolicy, type NewPolicy } from './create-policy.ts';
import type { PolicyDependencies } from './policy-dependencies.ts';
import { LIVE_POLICIES, POLICIES, type PolicyRecord, policyRef } from './policy-record.ts';

/** Policies of all customers. Every method rejects with `StateUnavailable` when the state is down. */
export interface Policies {
  create(policy: NewPolicy): Promise<CreatedPolicy>;
  change(change: PolicyChange): Promise<ChangedPolicy>;
  delete(deletion: Omit<PolicyChange, 'budget' | 'settings'>): Promise<ChangedPolicy>;
  /** null: none, or deleted. */
  byId(customerId: string, id: string): Promise<PolicyRecord | null>;
  /** Policies created within the range and not deleted, in order of creation. */
  ids(customerId: string, range?: DateRange): Promise<readonly string[]>;
}

export function openPolicies(dependencies: PolicyDependencies): Policies {
  const { documents } = dependencies;
  const created = createdWithin(documents, POLICIES);
  return {
    create: (policy) => createPolicy(dependencies, policy),
    change: (change) => changePolicy(dependencies, change),
    delete: (deletion) => deletePolicy(dependencies, deletion),
    byId: async (customerId, id) => {
      const found = (await documents.get<PolicyRecord>(policyRef(customerId, id)))?.value ?? null;
      return found === null || found.deletedAt !== null ? null : found;
    },
    // At most as many as the plan allows.
    ids: async (customerId, range) =>
      created(customerId, await documents.ids(customerId, LIVE_POLICIES), range),
  };
}
