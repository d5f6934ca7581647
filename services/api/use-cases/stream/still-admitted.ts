import {
  API_KEYS,
  CUSTOMERS,
  type CustomerAdmission,
  type Documents,
  type KeyAdmission,
  SESSION_LIFE_MS,
  SESSIONS,
  type SessionAdmission,
} from '#platform/state/port.ts';
import type { Caller } from '../../plugins/authentication.ts';

/** What a caller was admitted by, among its customer's keys and sessions; as one text, so that it can be compared. */
export const admissionOf = ({ madeBy, session }: Pick<Caller, 'madeBy' | 'session'>): string =>
  session === null ? `${API_KEYS}/${madeBy}` : `${SESSIONS}/${session.sessionId}`;

/**
 * Whether the key or the session of a request that goes on for long still opens its customer's data. Takes no token of
 * a rate limit, and is no use that would keep a session open. Rejects with `StateUnavailable`.
 */
export async function isStillAdmitted(
  documents: Pick<Documents, 'get'>,
  {
    customerId,
    admission,
    now,
  }: { readonly customerId: string; readonly admission: string; readonly now: number },
): Promise<boolean> {
  const at = admission.indexOf('/');
  const [collection, id] = [admission.slice(0, at), admission.slice(at + 1)];
  const [admitted, customer] = await Promise.all([
    documents.get<KeyAdmission | SessionAdmission>({ scope: customerId, collection, id }),
    documents.get<CustomerAdmission>({ scope: customerId, collection: CUSTOMERS, id: customerId }),
  ]);
  if (admitted === null || customer?.value.active !== true) return false;
  const { value } = admitted;
  return 'status' in value ? value.status === 'active' : now < value.openedAt + SESSION_LIFE_MS;
}
