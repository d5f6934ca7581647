import {
  API_KEYS,
  CUSTOMERS,
  type CustomerAdmission,
  type Documents,
  type KeyAdmission,
} from '#platform/state/port.ts';
import type { Caller } from './authentication.ts';

/**
 * Whether the key of a request that goes on for long still opens its customer's data. Takes no token of the rate limit.
 * Rejects with `StateUnavailable`.
 */
export async function isStillAdmitted(
  documents: Pick<Documents, 'get'>,
  { customerId, keyId }: Pick<Caller, 'customerId' | 'keyId'>,
): Promise<boolean> {
  const ref = { scope: customerId, collection: API_KEYS, id: keyId };
  const [key, customer] = await Promise.all([
    documents.get<KeyAdmission>(ref),
    documents.get<CustomerAdmission>({ scope: customerId, collection: CUSTOMERS, id: customerId }),
  ]);
  return key?.value.status === 'active' && customer?.value.active === true;
}
