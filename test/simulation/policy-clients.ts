import type { NewPolicy, Policy } from '#schemas/api/evidence/policies.ts';
import { createPolicy, updatePolicy } from '#services/api/evidence/policies/policies.ts';
import { changedEvidence, madeEvidence } from '#services/api/http/envelopes.ts';
import { bodyOf, callerOf, insist, keyOf, MAX_ATTEMPTS, type Request, under } from './insist.ts';
import { type Random, randomOf } from './random.ts';

const ruleOf = (random: Random): NewPolicy['rules'][number] => ({
  code: random.pick(['*', 'EMAIL', 'SSN'] as const),
  minRiskLevel: random.pick(['LOW', 'HIGH'] as const),
  maxCount: random.below(3),
  windowDays: random.pick([1, 30]),
  action: 'OPEN_INCIDENT',
});

/** Creates or changes a policy: what it counts, or whether it acts. */
export const policy: Request = (dependencies, customer, operation) => {
  const random = randomOf(operation.dice);
  const rules = Array.from({ length: random.between(1, 2) }, () => ruleOf(random));
  const enforcement = random.chance(0.8) ? ('ENFORCE' as const) : ('MONITOR' as const);
  const changed = customer.policyIds.length === 0 ? undefined : random.pick(customer.policyIds);
  return insist(dependencies, 'policy', MAX_ATTEMPTS, async (api) => {
    const caller = await callerOf(api, customer.key);
    const key = keyOf(operation);
    const answer =
      changed !== undefined && operation.dice % 2 === 0
        ? await updatePolicy(
            api,
            caller,
            changed,
            { rules, enforcement },
            under(api, customer.id, key, changedEvidence),
          )
        : await createPolicy(
            api,
            caller,
            { ...NEW_POLICY, rules, enforcement },
            under(api, customer.id, key, madeEvidence),
          );
    const { id, version } = bodyOf<{ data: Policy }>(answer).data;
    if (!customer.policyIds.includes(id)) customer.policyIds.push(id);
    dependencies.promised.policies.push({
      customerId: customer.id,
      policyId: id,
      version,
      atMs: dependencies.now(),
    });
    dependencies.note('client', `policy ${id}, version ${version}`);
    return 'answered';
  });
};

const NEW_POLICY = {
  name: 'A policy',
  framework: 'GDPR',
  description: null,
  sandboxSlugs: [],
  active: true,
} as const satisfies Partial<NewPolicy>;
