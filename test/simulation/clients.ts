import { Refusal } from '#platform/flow/refusal.ts';
import { timeSlice } from '#platform/flow/time-slice.ts';
import { SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { ApiKey, Customer } from '#schemas/api/customers.ts';
import type { AcceptedSignal } from '#schemas/api/internal-signal.ts';
import type { Sandbox } from '#schemas/api/sandboxes.ts';
import { changed, made, madeApiKey } from '#services/api/http/envelopes.ts';
import { submitInternalSignal } from '#services/api/ingest/internal/internal-signal.ts';
import { storedSignal } from '#services/api/ingest/internal/routes.ts';
import { answerAudit, answerBatch } from '#services/api/ingest/routes.ts';
import { createApiKey, revokeApiKey } from '#services/api/keys/keys.ts';
import { createCustomer, eraseCustomer } from '#services/api/operators/customers.ts';
import { createSandbox, updateSandbox } from '#services/api/sandboxes/sandboxes.ts';
import { eraseOneSignal } from './erasure-clients.ts';
import {
  bodyOf,
  type ClientDependencies,
  callerOf,
  insist,
  type KnownCustomer,
  keyOf,
  MAX_ATTEMPTS,
  type Request,
  sentBody,
  under,
  wait,
} from './insist.ts';
import { evidencePackage } from './package-clients.ts';
import type { Operation, OperationKind } from './plan.ts';
import { policy } from './policy-clients.ts';
import { CANARY } from './promises.ts';
import { type Random, randomOf } from './random.ts';
import { retentionPolicy, retentionRun } from './retention-clients.ts';
import { askForCheckpoint } from './witness.ts';

/** Time is virtual: there is no need to yield to the event loop. */
const proceed = async (): Promise<void> => undefined;

/** Models, named after the outcome of their first analyses. */
export const BROKEN_MODEL = 'broken';
export const FAULT_SPEC = `open:flaky:1,emit:stubborn:2,open:${BROKEN_MODEL}:9`;
const MODELS = ['steady', 'steady', 'steady', 'flaky', 'stubborn'];
/** Short, because detection is not under test here. */
const TEXTS = ['anna.berg@example.com', 'nothing', 'nothing', 'nothing'];

function tripletOf(random: Random, { sandbox }: KnownCustomer, model = random.pick(MODELS)) {
  return {
    sandboxSlug: sandbox.slug,
    provider: 'openai',
    model,
    prompt: `${CANARY} ${random.pick(TEXTS)} ${random.below(1e6)}`,
    response: CANARY,
  };
}

async function newCustomer(dependencies: ClientDependencies, operation: Operation): Promise<void> {
  const { promised } = dependencies;
  const n = operation.dice;
  const answer = await insist(dependencies, 'new customer', 20, (api) => {
    const ofCustomers = { ...api, newId: (at: number) => api.newId(at, { of: 'customers' }) };
    return createCustomer(
      ofCustomers,
      { name: `Customer ${n}`, type: 'COMPANY', plan: 'ENTERPRISE' },
      under(ofCustomers, SYSTEM_SCOPE, keyOf(operation), made),
    );
  });
  if (answer === null) return;
  const { id } = bodyOf<Customer>(answer);
  promised.customers.push({ customerId: id, atMs: dependencies.now() });
  let attempts = 0;
  const created = await insist(dependencies, 'first key', 20, async (api) => {
    attempts += 1;
    const key = { key: `first-${n}-${attempts}`, bodyDigest: 'first' };
    const answer = bodyOf<ApiKey & { key?: string }>(
      await createApiKey(api, id, 'first', under(api, SYSTEM_SCOPE, key, madeApiKey)),
    );
    promised.keys.push({ customerId: id, keyId: answer.id, atMs: dependencies.now() });
    return answer;
  });
  if (created?.key === undefined) return;
  const slug = `support-${n}`;
  const sandbox = await insist(dependencies, 'new sandbox', 20, async (api) => {
    const caller = await callerOf(api, created.key as string);
    const input = {
      name: 'Support',
      slug,
      sandboxType: 'FULL_SPECTRUM' as const,
      regulations: n % 3 === 0 ? ['GDPR', 'PCI_DSS'] : ['GDPR'],
      alertThreshold: 'HIGH' as const,
      guardianAction: 'REDACT_AND_CONTINUE' as const,
      customRules: [],
      region: 'EU' as const,
      active: true,
      redactionStrategy: 'FULL' as const,
      allowedValues: [],
      allowedCidrs: [],
      allowedPatterns: [],
      detectorsOff: [],
      minConfidence: {},
    };
    const record = bodyOf<Sandbox>(
      await createSandbox(
        { ...api, yieldTurn: proceed },
        caller,
        input,
        under(api, id, keyOf(operation), made),
      ),
    );
    promised.sandboxes.push({ customerId: id, record, atMs: dependencies.now() });
    return record;
  });
  if (sandbox === null) return;
  dependencies.customers.push({
    id,
    key: created.key,
    sandbox: { id: sandbox.id, slug },
    keyIds: [],
    policyIds: [],
    retentionIds: [],
  });
}

const submit: Request = (dependencies, customer, operation) => {
  const random = randomOf(operation.dice);
  const isKeyed = random.chance(0.7);
  const triplet = tripletOf(random, customer);
  return submitOne(dependencies, customer, triplet, isKeyed ? `key-${operation.dice}` : null);
};

function submitOne(
  dependencies: ClientDependencies,
  customer: KnownCustomer,
  triplet: ReturnType<typeof tripletOf>,
  key: string | null,
) {
  const sent = sentBody(triplet, key);
  // Not repeated without a key, because a repeat would be a new audit.
  return insist(dependencies, 'submit', key === null ? 1 : MAX_ATTEMPTS, async (api) => {
    const caller = await callerOf(api, customer.key);
    const answer = await answerAudit(api, caller, triplet, sent);
    const { auditId } = bodyOf<{ auditId: string }>(answer);
    dependencies.promised.audits.push({ customerId: customer.id, auditId, atMs: dependencies.now() });
    dependencies.note('client', `202 for ${auditId}`);
    return auditId;
  });
}

const batch: Request = (dependencies, customer, operation) => {
  const random = randomOf(operation.dice);
  const key = random.chance(0.7) ? `key-${operation.dice}` : null;
  const triplets = Array.from({ length: random.between(2, 4) }, () => tripletOf(random, customer));
  const sent = sentBody(triplets, key);
  return insist(dependencies, 'batch', key === null ? 1 : MAX_ATTEMPTS, async (api) => {
    const caller = await callerOf(api, customer.key);
    const yieldTurn = timeSlice(() => performance.now());
    const newId = (at: number): string => api.newId(at, { count: triplets.length });
    const answer = await answerBatch({ ...api, newId }, yieldTurn, caller, sent);
    const { data } = bodyOf<{ data: readonly { auditId?: string; error?: { statusCode: number } }[] }>(
      answer,
    );
    const accepted = data.flatMap(({ auditId }) => (auditId === undefined ? [] : [auditId]));
    for (const auditId of accepted)
      dependencies.promised.audits.push({ customerId: customer.id, auditId, atMs: dependencies.now() });
    dependencies.note('client', `202 for ${accepted.length} of ${data.length}: ${accepted.join(' ')}`);
    if (data.some(({ error }) => (error?.statusCode ?? 0) >= 500)) throw new Refusal('UNAVAILABLE');
  });
};

/** Violations that policy rules do or do not count. */
const VIOLATIONS = [[], ['EMAIL'], ['EMAIL', 'SSN']] as const;

const internalSignal: Request = (dependencies, customer, operation) => {
  const random = randomOf(operation.dice);
  const isNamed = random.chance(0.5);
  const auditId = `00000000-0000-4000-9000-${String(operation.dice).padStart(12, '0')}`;
  const signal = {
    customerId: customer.id,
    sandboxId: customer.sandbox.id,
    provider: 'openai',
    model: 'steady',
    riskLevel: random.pick(['LOW', 'HIGH'] as const),
    violations: [...random.pick(VIOLATIONS)],
    confidence: 0.5,
    reasoning: 'the platform says so',
    hasThinkingBlock: false,
    durationMs: 1,
    ...(isNamed ? { auditId } : {}),
    // Old enough for some retention policies.
    ...(random.chance(0.6) ? { createdAt: `2026-11-${random.between(17, 21)}T12:00:00.000Z` } : {}),
  };
  const sent = sentBody(signal, isNamed ? null : `key-${operation.dice}`);
  return insist(dependencies, 'internal signal', MAX_ATTEMPTS, async (api) => {
    const core = bodyOf<AcceptedSignal>(
      await submitInternalSignal(
        api,
        signal,
        () => sent.canonical(),
        under(api, SYSTEM_SCOPE, sent.idempotency(), storedSignal),
      ),
    );
    dependencies.promised.signals.push({ customerId: customer.id, core, atMs: dependencies.now() });
  });
};

const changeSandbox: Request = (dependencies, customer, operation) => {
  const random = randomOf(operation.dice);
  const change = random.chance(0.5)
    ? { guardianAction: random.pick(['ALLOW_ALL', 'REDACT_AND_CONTINUE', 'BLOCK_ON_DETECT'] as const) }
    : { alertThreshold: random.pick(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const) };
  return insist(dependencies, 'change sandbox', random.between(1, MAX_ATTEMPTS), async (api) => {
    const caller = await callerOf(api, customer.key);
    const { customerId } = caller;
    const answer = await updateSandbox(
      { ...api, yieldTurn: proceed },
      caller,
      customer.sandbox.id,
      change,
      under(api, customerId, keyOf(operation), changed),
    );
    const record = bodyOf<Sandbox>(answer);
    dependencies.promised.sandboxes.push({ customerId, record, atMs: dependencies.now() });
    dependencies.note('client', `sandbox version ${record.version}`);
  });
};

const newKey: Request = (dependencies, customer, operation) =>
  insist(dependencies, 'new key', MAX_ATTEMPTS, async (api) => {
    const { id } = bodyOf<ApiKey>(
      await createApiKey(api, customer.id, 'further', under(api, SYSTEM_SCOPE, keyOf(operation), madeApiKey)),
    );
    customer.keyIds.push(id);
    dependencies.promised.keys.push({ customerId: customer.id, keyId: id, atMs: dependencies.now() });
  });

const revokeKey: Request = async (dependencies, customer) => {
  const keyId = customer.keyIds[0];
  if (keyId === undefined) return;
  await insist(dependencies, 'revoke key', MAX_ATTEMPTS, async (api) => {
    await revokeApiKey(api, customer.id, keyId);
    dependencies.promised.revoked.push({ customerId: customer.id, keyId, atMs: dependencies.now() });
  });
};

const erase: Request = async (dependencies, customer, operation) => {
  // Erasing is most useful while the customer's requests are in progress.
  const under = [1, 2, 3].map((n) =>
    submit(dependencies, customer, { ...operation, dice: operation.dice + n }),
  );
  const random = randomOf(operation.dice);
  await wait(random.below(200));
  await insist(dependencies, 'erase customer', MAX_ATTEMPTS, async (api) => {
    await eraseCustomer(api, customer.id);
    dependencies.promised.erasures.push({ customerId: customer.id, atMs: dependencies.now() });
    dependencies.note('client', `erasure of ${customer.id} started`);
  });
  await Promise.all(under);
};

const failingTexts: Request = async (dependencies, customer, operation) => {
  const random = randomOf(operation.dice);
  // Enough to exceed the limit of consecutive dead letters in every partition.
  const count = random.between(32, 64);
  for (let n = 0; n < count; n += 4) {
    await Promise.all(
      [0, 1, 2, 3].map(() =>
        submitOne(dependencies, customer, tripletOf(random, customer, BROKEN_MODEL), null),
      ),
    );
  }
};

const checkpoint: Request = (dependencies, customer, operation) => {
  const random = randomOf(operation.dice);
  return insist(dependencies, 'checkpoint', random.between(1, 3), async (api) => {
    const shown = await askForCheckpoint(dependencies, api, customer.id, random);
    dependencies.note('client', `a note of ${shown?.treeSize ?? 0} entries of ${customer.id}`);
    return 'answered';
  });
};

const REQUESTS: Readonly<Partial<Record<OperationKind, Request>>> = {
  submit,
  batch,
  'internal signal': internalSignal,
  'change sandbox': changeSandbox,
  'new key': newKey,
  'revoke key': revokeKey,
  'erase customer': erase,
  'customer whose texts fail': failingTexts,
  checkpoint,
  policy,
  'retention policy': retentionPolicy,
  'retention run': retentionRun,
  'erase signal': eraseOneSignal,
  package: evidencePackage,
};

/** Sends an operation's request; null when it is not a client's operation. Never rejects. */
export function sendRequest(dependencies: ClientDependencies, operation: Operation): Promise<unknown> | null {
  if (operation.kind === 'new customer') return newCustomer(dependencies, operation);
  const request = REQUESTS[operation.kind];
  if (request === undefined) return null;
  if (dependencies.customers.length === 0) return Promise.resolve();
  // Only one customer has failing texts; the others must not be affected.
  const isFirst = operation.kind === 'customer whose texts fail';
  const index = isFirst ? 0 : operation.dice % dependencies.customers.length;
  return request(dependencies, dependencies.customers[index] as KnownCustomer, operation);
}
