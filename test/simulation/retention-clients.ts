import type { SignalErasureShown } from '#schemas/api/evidence/retention/erasures.ts';
import type { NewRetentionPolicy, ShownRetentionPolicy } from '#schemas/api/evidence/retention/policies.ts';
import { ApiError } from '#services/api/errors.ts';
import { eraseSignal } from '#services/api/use-cases/evidence/retention/erase-signal.ts';
import {
  createRetentionPolicy,
  updateRetentionPolicy,
} from '#services/api/use-cases/evidence/retention/policies.ts';
import { readErasure } from '#services/api/use-cases/evidence/retention/read-erasure.ts';
import { requestRuns } from '#services/customers/retention/retention-run.ts';
import { newestSignals } from './dependencies/newest-rows.ts';
import {
  bodyOf,
  type ClientDependencies,
  callerOf,
  insist,
  type KnownCustomer,
  keyOf,
  MAX_ATTEMPTS,
  type Request,
} from './insist.ts';
import { type Random, randomOf } from './random.ts';

/** What a policy that is made says; signals of platforms may be some days old, those of ingests never are. */
function drawPolicy(random: Random, { sandbox }: KnownCustomer): NewRetentionPolicy {
  const drawn = random.next();
  const sandboxSlug = random.chance(0.3) ? sandbox.slug : null;
  const base = { name: 'Kept', sandboxSlug, active: true, legalHold: false } as const;
  if (drawn < 0.2)
    return {
      ...base,
      legalHold: true,
      retentionDays: 3_650,
      framework: random.pick(REACHES),
      action: 'DELETE',
    };
  if (drawn < 0.27) return { ...base, retentionDays: 365, framework: 'PCI_DSS', action: 'DELETE' };
  const action = random.pick(['DELETE', 'DELETE', 'ANONYMIZE'] as const);
  return { ...base, retentionDays: random.pick([1, 3]), framework: null, action };
}

/** The last one is named by no sandbox. */
const REACHES = [null, 'GDPR', 'PCI_DSS', 'HIPAA'] as const;

/** Makes a retention policy or a legal hold, or changes one: holds are lifted and taken again. */
export const retentionPolicy: Request = (dependencies, customer, operation) => {
  const random = randomOf(operation.dice);
  const drawn = drawPolicy(random, customer);
  const known = customer.retentionIds.length === 0 ? undefined : random.pick(customer.retentionIds);
  const isChange = known !== undefined && random.chance(0.5);
  const change = random.pick([
    { legalHold: random.chance(0.5) },
    { active: random.chance(0.7) },
    { retentionDays: random.pick([1, 1, 3, 400]), legalHold: false },
  ]);
  // From now on nobody may rely on what it forbids.
  if (isChange) dependencies.promised.retentionChanges.push(said(dependencies, customer, known));
  return insist(dependencies, 'retention policy', MAX_ATTEMPTS, async (api) => {
    const caller = await callerOf(api, customer.key);
    const key = keyOf(operation);
    const answer = isChange
      ? await updateRetentionPolicy(api, caller, known, change, key)
      : await createRetentionPolicy(api, caller, drawn, key);
    const policy = bodyOf<{ data: ShownRetentionPolicy }>(answer).data;
    if (!customer.retentionIds.includes(policy.id)) customer.retentionIds.push(policy.id);
    dependencies.promised.retentionPolicies.push({ ...said(dependencies, customer, policy.id), policy });
    dependencies.note('client', `retention policy ${policy.id}, version ${policy.version}`);
    return 'answered';
  });
};

const said = ({ now }: ClientDependencies, { id }: KnownCustomer, policyId: string) => ({
  customerId: id,
  policyId,
  atMs: now(),
});

/** Asks for a run of all customers, as an operator does. */
export const retentionRun: Request = (dependencies) =>
  insist(dependencies, 'retention run', 2, async (api) => {
    await requestRuns(api.state.documents, new Date(api.now()).toISOString());
    return 'answered';
  });

const REFUSED = ['LEGAL_HOLD', 'RETENTION_ACTIVE', 'INCIDENT_OPEN'];
/** Most of what was accepted so long ago can be erased. */
const STORED_AFTER_MS = 5_000;
/** As the route has it. */
const WAIT_MS = 5_000;

/** Erases a signal or an audit that failed; whose answer was lost looks for what became of it. */
export const eraseOneSignal: Request = async (dependencies, customer, operation) => {
  const { promised } = dependencies;
  const random = randomOf(operation.dice);
  const own = [
    ...promised.audits.map(({ customerId, auditId, atMs }) => ({ customerId, auditId, atMs })),
    ...promised.signals.map(({ customerId, core, atMs }) => ({ customerId, auditId: core.auditId, atMs })),
  ].filter(
    ({ customerId, atMs }) => customerId === customer.id && dependencies.now() - atMs > STORED_AFTER_MS,
  );
  if (own.length === 0) return;
  const signalId = random.pick(own).auditId;
  const reason = random.chance(0.4) ? ('DATA_SUBJECT_REQUEST' as const) : ('CUSTOMER_REQUEST' as const);
  promised.erasureRequests.push({ customerId: customer.id, signalId, atMs: dependencies.now() });
  const gone = new AbortController().signal;
  const note = (data: SignalErasureShown): string => noteErasure(dependencies, customer.id, data);
  const answered = await insist(dependencies, 'erase signal', MAX_ATTEMPTS, async (api) => {
    const caller = await callerOf(api, customer.key);
    const wanted = { signalId, reason, waitMs: WAIT_MS, gone };
    return eraseSignal(api, caller, wanted).then(({ data }) => note(data), refusedOrThrow);
  });
  if (answered === 'refused') {
    dependencies.note('client', `the erasure of ${signalId} is refused`);
    return;
  }
  await insist(dependencies, 'read erasure', 2, async (api) =>
    note(await readErasure(api, (await callerOf(api, customer.key)).customerId, signalId)),
  );
};

function refusedOrThrow(error: unknown): 'refused' {
  if (error instanceof ApiError && REFUSED.includes(error.code)) return 'refused';
  throw error;
}

function noteErasure(
  { promised, store, now, note }: ClientDependencies,
  customerId: string,
  { signalId, reason, status, deleted, receipt }: SignalErasureShown,
): string {
  const left = newestSignals(store, customerId).find((row) => row.auditId === signalId);
  const isThere = left !== undefined && left.erased !== 'ALL';
  promised.signalErasures.push({ customerId, signalId, reason, deleted, receipt, isThere, atMs: now() });
  if (receipt !== null) promised.notes.push({ customerId, note: receipt.checkpoint, atMs: now() });
  note('client', `erasure of ${signalId}: ${status}${receipt === null ? '' : ', with its receipt'}`);
  return 'told';
}
