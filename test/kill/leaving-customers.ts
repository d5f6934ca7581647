import { randomUUID } from 'node:crypto';
import { customerClient, triplet } from '../helpers/customer.ts';
import { type Callers, createRequests, type Requests } from './requests.ts';

/** Stands in everything that a customer who leaves has given by name. */
export const MARK = 'Zumtobel';
const AUDITS = 3;
const SLUG = 'leaving';

/** A small customer that is made, used and erased, over as many rounds as that takes. */
export interface LeavingCustomer {
  readonly name: string;
  /** Its own: they are sent again with its key, and by nobody else. */
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
 * Takes the customer's way as far as the service answers: every step may be taken again. Resolves to true once its
 * erasure is accepted.
 */
export async function leave(leaving: LeavingCustomer, callers: Callers, url: string): Promise<boolean> {
  const { name, auditIds, requests } = leaving;
  const internal = (path: string, body: unknown, step: string) =>
    requests.send(callers, {
      name: step,
      caller: 'internal',
      method: 'POST',
      path,
      body,
      once: 'header',
    });
  const made = await internal(
    '/internal/customers',
    { name: `${MARK} ${name}`, type: 'COMPANY', plan: 'ENTERPRISE' },
    `${name}-customer`,
  );
  if (made === null) return false;
  leaving.id = String(made.id);
  const path = `/internal/customers/${leaving.id}`;
  if (auditIds.size < AUDITS) {
    // A key is shown once: when that answer is lost, only another key helps.
    const key = await internal(`${path}/api-keys`, { name: MARK }, `${name}-key-${randomUUID()}`);
    if (typeof key?.key !== 'string') return false;
    const own: Callers = { ...callers, customer: customerClient(url, key.key) };
    const asCustomer = (to: string, body: unknown, step: string) =>
      requests.send(own, { name: step, caller: 'customer', method: 'POST', path: to, body, once: 'header' });
    const sandbox = { name: `${MARK} room`, slug: SLUG, sandboxType: 'FULL_SPECTRUM', customRules: [MARK] };
    if ((await asCustomer('/sandboxes', sandbox, `${name}-sandbox`)) === null) return false;
    for (let number = auditIds.size; number < AUDITS; number += 1) {
      const body = triplet(SLUG, number, `${MARK}-model`);
      const accepted = await asCustomer('/audit/ingest', body, `${name}-audit-${number}`);
      if (accepted === null) return false;
      auditIds.add(String(accepted.auditId));
    }
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
