import type { IdempotencyKey } from '#platform/state/port.ts';
import { requestRuns } from '#records/retention/retention-run.ts';
import type {
  NewRetentionPolicy,
  RetentionPolicyChange,
  ShownRetentionPolicy,
} from '#schemas/api/evidence/retention/policies.ts';
import { createRetentionPolicy, updateRetentionPolicy } from '#services/api/evidence/retention/policies.ts';
import { changedEvidence, madeEvidence } from '#services/api/http/envelopes.ts';
import {
  bodyOf,
  type ClientDependencies,
  callerOf,
  insist,
  type KnownCustomer,
  keyOf,
  MAX_ATTEMPTS,
  type Request,
  under,
  wait,
} from './insist.ts';
import { type Random, randomOf } from './random.ts';

const NEW_POLICY: NewRetentionPolicy = {
  name: 'Kept',
  retentionDays: 1,
  framework: null,
  sandboxSlug: null,
  action: 'DELETE',
  legalHold: false,
  active: true,
};

/** A random policy. Platform signals may be some days old; ingested ones never are. */
function drawPolicy(random: Random, { sandbox }: KnownCustomer): NewRetentionPolicy {
  const drawn = random.next();
  const base = { ...NEW_POLICY, sandboxSlug: random.chance(0.3) ? sandbox.slug : null };
  if (drawn < 0.2) return { ...base, legalHold: true, retentionDays: 3_650, framework: random.pick(REACHES) };
  if (drawn < 0.27) return { ...base, retentionDays: 365, framework: 'PCI_DSS' };
  const action = random.pick(['DELETE', 'DELETE', 'ANONYMIZE'] as const);
  return { ...base, retentionDays: random.pick([1, 3]), action };
}

/** No sandbox has the last one. */
const REACHES = [null, 'GDPR', 'PCI_DSS', 'HIPAA'] as const;

type Said =
  | { readonly key: IdempotencyKey; readonly make: NewRetentionPolicy }
  | { readonly key: IdempotencyKey; readonly policyId: string; readonly change: RetentionPolicyChange };

/** Creates or changes a retention policy and records what was confirmed. Returns the policy's id, or null. */
async function say(
  dependencies: ClientDependencies,
  customer: KnownCustomer,
  asked: Said,
): Promise<string | null> {
  const { promised, note } = dependencies;
  // From now on its previous rules are no longer guaranteed.
  if ('policyId' in asked) promised.retentionChanges.push(said(dependencies, customer, asked.policyId));
  return insist(dependencies, 'retention policy', MAX_ATTEMPTS, async (api) => {
    const caller = await callerOf(api, customer.key);
    const answer =
      'policyId' in asked
        ? await updateRetentionPolicy(
            api,
            caller,
            asked.policyId,
            asked.change,
            under(api, customer.id, asked.key, changedEvidence),
          )
        : await createRetentionPolicy(
            api,
            caller,
            asked.make,
            under(api, customer.id, asked.key, madeEvidence),
          );
    const policy = bodyOf<{ data: ShownRetentionPolicy }>(answer).data;
    if (!customer.retentionIds.includes(policy.id)) customer.retentionIds.push(policy.id);
    promised.retentionPolicies.push({ ...said(dependencies, customer, policy.id), policy });
    note('client', `retention policy ${policy.id}, version ${policy.version}`);
    return policy.id;
  });
}

/** Creates or changes a retention policy or a legal hold: holds are lifted and set again. */
export const retentionPolicy: Request = (dependencies, customer, operation) => {
  const random = randomOf(operation.dice);
  const drawn = drawPolicy(random, customer);
  const known = customer.retentionIds.length === 0 ? undefined : random.pick(customer.retentionIds);
  const policyId = random.chance(0.5) ? known : undefined;
  const change = random.pick([
    { legalHold: random.chance(0.5) },
    { active: random.chance(0.7) },
    { retentionDays: random.pick([1, 1, 3, 400]), legalHold: false },
  ]);
  const key = keyOf(operation);
  return say(
    dependencies,
    customer,
    policyId === undefined ? { key, make: drawn } : { key, policyId, change },
  );
};

/** A legal hold set during an erasure and lifted soon after. */
export const passingHold: Request = async (dependencies, customer, operation) => {
  const random = randomOf(operation.dice);
  const keyFor = (what: string): IdempotencyKey => ({
    ...keyOf(operation),
    key: `${what}-${operation.dice}`,
  });
  await wait(random.below(400));
  const hold: NewRetentionPolicy = { ...NEW_POLICY, legalHold: true, retentionDays: 3_650 };
  const policyId = await say(dependencies, customer, { key: keyFor('hold'), make: hold });
  if (policyId === null) return;
  await wait(random.between(500, 4_000));
  await say(dependencies, customer, {
    key: keyFor('lift'),
    policyId,
    change: { legalHold: false, active: false },
  });
};

const said = ({ now }: ClientDependencies, { id }: KnownCustomer, policyId: string) => ({
  customerId: id,
  policyId,
  atMs: now(),
});

/** Requests a run for all customers, as an operator does; sometimes a hold is set meanwhile. */
export const retentionRun: Request = async (dependencies, customer, operation) => {
  const asked = insist(dependencies, 'retention run', 2, async (api) => {
    await requestRuns(api.state.documents, new Date(api.now()).toISOString());
    return 'answered';
  });
  const isHeld = randomOf(operation.dice).chance(0.2);
  await Promise.all([asked, isHeld ? passingHold(dependencies, customer, operation) : null]);
};
