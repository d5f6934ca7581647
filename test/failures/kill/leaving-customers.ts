import { randomUUID } from 'node:crypto';
import { customerClient, triplet } from '../../helpers/customer.ts';
import { type Callers, createRequests, type Requests } from './requests.ts';

/**
 * Part of every name given by a customer to erase, except in requests with an Idempotency-Key: their responses are
 * stored for a day.
 */
export const MARK = 'Zumtobel';
const AUDITS = 3;
const SLUG = 'leaving';

/** A small customer that is created, used and erased, across as many rounds as that takes. */
export interface LeavingCustomer {
  readonly name: string;
  /** Its own requests, repeated only with its key. */
  readonly requests: Requests;
  id: string | null;
  readonly auditIds: Set<string>;
  isErasureAsked: boolean;
}

export const leavingCustomer = (name: string): LeavingCustomer => ({
  name,
  requests: createRequests(),
  id: null,
  auditIds: new Set(),
  isErasureAsked: false,
});

/**
 * Takes the customer's steps as far as the service answers; every step may be repeated. Resolves to true once its
 * erasure is accepted.
 */
export async function leave(leaving: LeavingCustomer, callers: Callers, url: string): Promise<boolean> {
  const { name, auditIds, requests } = leaving;
  const internal = (method: 'POST' | 'PATCH', path: string, body: unknown, step: string) => {
    const once = method === 'POST' ? 'header' : 'request';
    return requests.send(callers, { name: step, caller: 'internal', method, path, body, once });
  };
  const plain = { name, type: 'COMPANY', plan: 'ENTERPRISE' };
  const made = await internal('POST', '/internal/customers', plain, `${name}-customer`);
  if (made === null) return false;
  leaving.id = String(made.id);
  const path = `/internal/customers/${leaving.id}`;
  if (auditIds.size < AUDITS) {
    if ((await internal('PATCH', path, { name: `${MARK} AG` }, `${name}-name`)) === null) return false;
    // A key is shown once: if that response is lost, another key is needed.
    const key = await internal('POST', `${path}/api-keys`, { name }, `${name}-key-${randomUUID()}`);
    if (typeof key?.key !== 'string') return false;
    const own: Callers = { ...callers, customer: customerClient(url, key.key) };
    if (!(await useService(leaving, own))) return false;
  }
  const asked = await requests.send(callers, {
    name: `${name}-erase`,
    caller: 'internal',
    method: 'DELETE',
    path,
    once: 'request',
  });
  leaving.isErasureAsked = asked !== null;
  return leaving.isErasureAsked;
}

/** A sandbox with rules, and audits in it. */
async function useService({ name, auditIds, requests }: LeavingCustomer, own: Callers): Promise<boolean> {
  const send = (method: 'POST' | 'PATCH', path: string, body: unknown, step: string) => {
    const once = method === 'POST' ? 'header' : 'request';
    return requests.send(own, { name: step, caller: 'customer', method, path, body, once });
  };
  const sandbox = { name: 'A room', slug: SLUG, sandboxType: 'FULL_SPECTRUM' };
  if ((await send('POST', '/sandboxes', sandbox, `${name}-sandbox`)) === null) return false;
  const rules = { name: `${MARK} room`, customRules: [MARK] };
  if ((await send('PATCH', `/sandboxes/${SLUG}`, rules, `${name}-rules`)) === null) return false;
  for (let number = auditIds.size; number < AUDITS; number += 1) {
    const body = { ...triplet(SLUG, number, `${MARK}-model`), response: `Dear ${MARK} AG, done.` };
    const accepted = await send('POST', '/audit/ingest', body, `${name}-audit-${number}`);
    if (accepted === null) return false;
    auditIds.add(String(accepted.auditId));
  }
  return true;
}
