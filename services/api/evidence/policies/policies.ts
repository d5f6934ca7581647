import { frameworkRules } from '#core/evidence/policies/rules.ts';
import { recordBudget } from '#core/plans/plans.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type { ChangedPolicy } from '#records/policies/change-policy.ts';
import type { CreatedPolicy } from '#records/policies/create-policy.ts';
import type { Policies } from '#records/policies/policies.ts';
import type { PolicyRecord, PolicySettings } from '#records/policies/policy-record.ts';
import type { NewPolicy, Policy, PolicyChange } from '#schemas/api/evidence/policies.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import { beyondBudget } from '../../operations/beyond-budget.ts';
import type { Caller } from '../../operations/caller.ts';
import type { RecordDependencies } from '../../operations/dependencies.ts';
import { newSeed } from '../../operations/ids.ts';
import type { Made, Once } from '../../operations/once.ts';
import { pageOfIds } from '../../operations/paging.ts';

export type PolicyRecordDependencies = RecordDependencies & { readonly policies: Policies };

export async function createPolicy<Answered>(
  dependencies: PolicyRecordDependencies,
  { customerId, customer }: Caller,
  input: NewPolicy,
  once: Once<Made<Policy>, Answered>,
): Promise<Answered> {
  const budget = recordBudget(customer.plan, customer.sandboxQuota);
  return once(async ({ id, at }) => {
    const sandboxSlugs = await knownSlugs(dependencies, customerId, input.sandboxSlugs);
    const settings = { ...input, sandboxSlugs, rules: rulesOf(input.framework, input.rules) };
    const created = await dependencies.policies.create({ customerId, id, settings, budget, createdAt: at });
    return { data: shownPolicy(recordOf(dependencies, customer, created)), isNew: true };
  });
}

/** Changes the fields that were sent; without a difference no new version is made. */
export async function updatePolicy<Answered>(
  dependencies: PolicyRecordDependencies,
  { customerId, customer }: Caller,
  policyId: string,
  change: PolicyChange,
  once: Once<Policy, Answered>,
): Promise<Answered> {
  if (!isId(policyId)) throw new Refusal('NOT_FOUND');
  const budget = recordBudget(customer.plan, customer.sandboxQuota);
  return once(async ({ id: changeId, at }, takenOver) => {
    // An unknown policy is 404, whatever the body names.
    if (!takenOver) await knownPolicy(dependencies, customerId, policyId);
    const { sandboxSlugs: slugs, rules, ...fields } = change;
    const sent: Partial<PolicySettings> = {
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      ...(slugs === undefined ? {} : { sandboxSlugs: await knownSlugs(dependencies, customerId, slugs) }),
    };
    const settings = (record: PolicyRecord): PolicySettings => {
      const changed = { ...record, ...sent };
      return rules === undefined ? changed : { ...changed, rules: rulesOf(changed.framework, rules) };
    };
    const asked = { customerId, policyId, at, changeId, takenOver, budget, settings };
    const changed = await dependencies.policies.change(asked);
    return shownPolicy(recordOf(dependencies, customer, changed));
  });
}

export async function deletePolicy(
  dependencies: PolicyRecordDependencies,
  { customerId, customer }: Caller,
  policyId: string,
): Promise<Policy> {
  if (!isId(policyId)) throw new Refusal('NOT_FOUND');
  const { id: changeId, at } = newSeed(dependencies);
  const asked = { customerId, policyId, at, changeId, takenOver: false };
  return shownPolicy(recordOf(dependencies, customer, await dependencies.policies.delete(asked)));
}

export const readPolicy = async (
  dependencies: Pick<PolicyRecordDependencies, 'policies'>,
  customerId: string,
  id: string,
): Promise<Policy> => shownPolicy(await knownPolicy(dependencies, customerId, id));

/** Reads only the policies of the page. */
export async function listPolicies(
  { policies }: Pick<PolicyRecordDependencies, 'policies'>,
  customerId: string,
  { range, ...request }: PageRequest & { readonly range: DateRange },
): Promise<{ data: Policy[]; pagination: Pagination }> {
  const { rows, pagination } = pageOfIds(await policies.ids(customerId, range), request);
  const records = await Promise.all(rows.map((id) => policies.byId(customerId, id)));
  // A policy may have been deleted since the ids were read.
  return { data: records.filter((record) => record !== null).map(shownPolicy), pagination };
}

export async function knownPolicy(
  { policies }: Pick<PolicyRecordDependencies, 'policies'>,
  customerId: string,
  id: string,
): Promise<PolicyRecord> {
  const record = isId(id) ? await policies.byId(customerId, id) : null;
  if (record === null) throw new Refusal('NOT_FOUND');
  return record;
}

const rulesOf = (framework: NewPolicy['framework'], rules: NewPolicy['rules']) =>
  rules.length > 0 ? rules : frameworkRules(framework);

/** The slugs as their sandboxes spell them, without duplicates. */
async function knownSlugs(
  { directory }: RecordDependencies,
  customerId: string,
  slugs: readonly string[],
): Promise<string[]> {
  const sandboxes = await Promise.all(slugs.map((slug) => directory.getSandbox(customerId, slug)));
  // The look-up also accepts a sandbox's id, which is not a slug.
  const known = sandboxes.flatMap((sandbox, index) =>
    sandbox === null || sandbox.id === slugs[index] ? [] : [sandbox.slug],
  );
  if (known.length < slugs.length) throw new Refusal('SANDBOX_NOT_FOUND');
  return [...new Set(known)];
}

function recordOf(
  dependencies: RecordDependencies,
  customer: CustomerRecord,
  made: CreatedPolicy | ChangedPolicy,
): PolicyRecord {
  if (made.ok) return made.record;
  if (made.reason === 'BUDGET') throw beyondBudget(dependencies, customer, made.exceeded);
  throw new Refusal('NOT_FOUND');
}

function shownPolicy({ deletedAt, ...record }: PolicyRecord): Policy {
  return {
    ...record,
    sandboxSlugs: [...record.sandboxSlugs],
    rules: record.rules.map((rule) => ({ ...rule, code: rule.code as Policy['rules'][number]['code'] })),
    ...(deletedAt === null ? {} : { deletedAt }),
  };
}
