import { KEKS } from '#platform/sealing/customer-keys.ts';
import { CUSTOMERS, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { CUSTOMER_INDEX } from '../customers/customers.ts';
import { CHECKPOINTS, SIGNING_KEYS, VERIFICATIONS } from '../documents/records.ts';
import { CLEANED, ERASURES, OPEN_ERASURES } from '../erasure/erasures.ts';
import { ACCEPTED_LOSSES } from '../losses/accepted-losses.ts';
import { PACKAGE_WORK } from '../packages/package-record.ts';
import { RETENTION_CUSTOMERS } from '../retention/change-policy.ts';
import { RETENTION_REQUESTS } from '../retention/retention-run.ts';
import { RETURNED_CONTENT } from '../retention/returned-content.ts';
import { EMAIL_OWNERS } from '../users/user-record.ts';

/** Collections of a customer's scope whose documents have seals. A new collection that is not here fails the API's tests. */
const OF_CUSTOMERS: readonly string[] = [CUSTOMERS, ERASURES, KEKS, CHECKPOINTS, VERIFICATIONS, ...CLEANED];

const OF_SYSTEM: readonly string[] = [
  CUSTOMER_INDEX,
  OPEN_ERASURES,
  EMAIL_OWNERS,
  PACKAGE_WORK,
  RETENTION_CUSTOMERS,
  RETENTION_REQUESTS,
  RETURNED_CONTENT,
  ACCEPTED_LOSSES,
  SIGNING_KEYS,
  VERIFICATIONS,
];

export const sealedCollections = (scope: string): readonly string[] =>
  scope === SYSTEM_SCOPE ? OF_SYSTEM : OF_CUSTOMERS;
