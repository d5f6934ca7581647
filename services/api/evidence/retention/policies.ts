import { floorDays } from '#core/evidence/retention/floors.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import {
  type ChangedPolicy,
  changePolicy,
  createPolicy,
  type PolicyDependencies,
  type PolicyFields,
} from '#records/retention/change-policy.ts';
import { type RetentionPolicy, retentionPolicies, storedPolicy } from '#records/retention/policy-record.ts';
import type {
  NewRetentionPolicy,
  RetentionPolicyChange,
  ShownRetentionPolicy,
} from '#schemas/api/evidence/retention/policies.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import type { Framework } from '#schemas/vocabulary.ts';
import type { Caller } from '../../operations/caller.ts';
import type { ApiDependencies, RecordDependencies } from '../../operations/dependencies.ts';
import { newSeed } from '../../operations/ids.ts';
import type { Made, Once } from '../../operations/once.ts';
import { holds, pageOfIds } from '../../operations/paging.ts';

export type RetentionDependencies = RecordDependencies &
  Pick<ApiDependencies, 'announce' | 'warehouse'> & { readonly makeEntry: EntryMaker };

const recordsOf = ({ state, makeEntry, announce }: RetentionDependencies): PolicyDependencies => ({
  documents: state.documents,
  makeEntry,
  announce,
});

export function createRetentionPolicy<Answered>(
  dependencies: RetentionDependencies,
  caller: Caller,
  { sandboxSlug, ...input }: NewRetentionPolicy,
  once: Once<Made<ShownRetentionPolicy>, Answered>,
): Promise<Answered> {
  const { customerId } = caller;
  return once(async ({ id, at }) => {
    refuseBelowFloor(input.framework, input.retentionDays);
    const fields = { ...input, ...(await sandboxOf(dependencies, customerId, sandboxSlug)) };
    const change = { customerId, policyId: id, changeId: id, at, actor: caller.actor };
    const made = await createPolicy(recordsOf(dependencies), change, fields);
    return { data: shown(made), isNew: true };
  });
}

export async function updateRetentionPolicy<Answered>(
  dependencies: RetentionDependencies,
  caller: Caller,
  policyId: string,
  { sandboxSlug, ...input }: RetentionPolicyChange,
  once: Once<ShownRetentionPolicy, Answered>,
): Promise<Answered> {
  const { customerId } = caller;
  if (!isId(policyId)) throw new Refusal('NOT_FOUND');
  return once(async ({ id: changeId, at }) => {
    await readRetentionPolicy(dependencies, customerId, policyId);
    const sandbox = sandboxSlug === undefined ? {} : await sandboxOf(dependencies, customerId, sandboxSlug);
    const change = { customerId, policyId, changeId, at, actor: caller.actor };
    const changed = await changePolicy(recordsOf(dependencies), change, (policy) => {
      const fields = { ...withoutAbsent(input), ...sandbox };
      const { framework, retentionDays } = { ...policy, ...fields };
      refuseBelowFloor(framework, retentionDays);
      return fields;
    });
    return shown(changed);
  });
}

export async function deleteRetentionPolicy(
  dependencies: RetentionDependencies,
  caller: Caller,
  policyId: string,
): Promise<ShownRetentionPolicy> {
  if (!isId(policyId)) throw new Refusal('NOT_FOUND');
  const { id: changeId, at } = newSeed(dependencies);
  const { customerId } = caller;
  const change = { customerId, policyId, changeId, at, actor: caller.actor };
  return shown(await changePolicy(recordsOf(dependencies), change, () => ({ deletedAt: at })));
}

export async function readRetentionPolicy(
  { state }: Pick<RetentionDependencies, 'state'>,
  customerId: string,
  policyId: string,
): Promise<ShownRetentionPolicy> {
  const stored = isId(policyId) ? await storedPolicy(state.documents, customerId, policyId) : null;
  if (stored === null || stored.value.deletedAt !== null) throw new Refusal('NOT_FOUND');
  return shownPolicy(stored.value);
}

/** There are few, so all are read. */
export async function listRetentionPolicies(
  { state }: Pick<RetentionDependencies, 'state'>,
  customerId: string,
  { range, ...request }: PageRequest & { readonly range: DateRange },
): Promise<{ data: ShownRetentionPolicy[]; pagination: Pagination }> {
  const policies = new Map(
    (await retentionPolicies(state.documents, customerId))
      .filter(({ createdAt }) => holds(range, createdAt))
      .map((policy) => [policy.id, policy]),
  );
  const { rows, pagination } = pageOfIds([...policies.keys()], request);
  return { data: rows.map((id) => shownPolicy(policies.get(id)!)), pagination };
}

function refuseBelowFloor(framework: Framework | null, retentionDays: number): void {
  const floor = floorDays(framework);
  if (retentionDays >= floor) return;
  throw new Refusal('RETENTION_BELOW_MINIMUM', {
    message: `${framework} requires at least ${floor} days. Raise retentionDays, or omit the framework.`,
  });
}

async function sandboxOf(
  { directory }: RetentionDependencies,
  customerId: string,
  sandboxSlug: string | null,
): Promise<Pick<PolicyFields, 'sandboxSlug' | 'sandboxId'>> {
  if (sandboxSlug === null) return { sandboxSlug, sandboxId: null };
  const sandboxId = await directory.sandboxIdOfSlug(customerId, sandboxSlug);
  if (sandboxId === null) throw new Refusal('SANDBOX_NOT_FOUND');
  return { sandboxSlug, sandboxId };
}

const withoutAbsent = (input: Omit<RetentionPolicyChange, 'sandboxSlug'>): Partial<PolicyFields> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

function shown(result: ChangedPolicy): ShownRetentionPolicy {
  if (result.ok) return shownPolicy(result.policy);
  switch (result.reason) {
    case 'NOT_FOUND':
      throw new Refusal('NOT_FOUND');
    case 'LIMIT':
      throw new Refusal('RETENTION_POLICIES_REACHED');
    case 'VERSIONS':
      throw new Refusal('RETENTION_CHANGES_REACHED');
  }
}

function shownPolicy(policy: RetentionPolicy): ShownRetentionPolicy {
  const { changeId: _changeId, sandboxId: _sandboxId, ...rest } = policy;
  return rest;
}
