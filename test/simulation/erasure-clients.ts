import { Refusal } from '#platform/flow/refusal.ts';
import type { SignalErasureShown } from '#schemas/api/evidence/retention/erasures.ts';
import { eraseSignal } from '#services/api/evidence/retention/erase-signal.ts';
import { readErasure } from '#services/api/evidence/retention/read-erasure.ts';
import { newestSignals } from './dependencies/newest-rows.ts';
import { type ClientDependencies, callerOf, insist, MAX_ATTEMPTS, type Request } from './insist.ts';
import { randomOf } from './random.ts';
import { passingHold } from './retention-clients.ts';

const REFUSED = ['LEGAL_HOLD', 'RETENTION_ACTIVE', 'INCIDENT_OPEN'];
/** By this age most of what was accepted can be erased. */
const STORED_AFTER_MS = 5_000;
/** Same as in the route. */
const WAIT_MS = 5_000;

/** Erases a signal or a failed audit; sometimes a legal hold is set meanwhile. */
export const eraseOneSignal: Request = async (dependencies, customer, operation) => {
  const isHeld = randomOf(operation.dice).chance(0.2);
  await Promise.all([
    askToErase(dependencies, customer, operation),
    isHeld ? passingHold(dependencies, customer, operation) : null,
  ]);
};

/** If the answer was lost, reads the outcome. */
const askToErase: Request = async (dependencies, customer, operation) => {
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
  if (error instanceof Refusal && REFUSED.includes(error.code)) return 'refused';
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
