import { CUSTOMERS, type Documents } from '#platform/state/port.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { createCustomer, type NewCustomer } from '../customers/customers.ts';
import { type EmailOwner, emailHash, emailRef, USERS, type UserRecord, userRef } from './user-record.ts';

interface NewAccount {
  readonly customer: NewCustomer;
  readonly userId: string;
  readonly email: string;
  readonly passwordHash: string;
}

type CreatedAccount =
  | { readonly ok: true; readonly customer: CustomerRecord; readonly user: UserRecord }
  /**
   * `UNDER_WAY`: another request is using the email. `LOST`: this request was too slow, and its account is to be
   * erased.
   */
  | { readonly ok: false; readonly reason: 'EMAIL_TAKEN' | 'UNDER_WAY' | 'LOST' };

/** A request that reserved an email creates its user much sooner than this, or never. */
export const RESERVED_MS = 60_000;

/**
 * Creates a customer with its user. Of two requests for one email at most one creates an account: the email is reserved
 * first, in another scope than the user, so a crash in between leaves a reservation without a user, which the next
 * request takes over once it is old. A request whose reservation was taken over finds out at the end.
 */
export async function createAccount(documents: Documents, input: NewAccount): Promise<CreatedAccount> {
  const { customer, userId, email } = input;
  const owner: EmailOwner = { customerId: customer.id, userId, reservedAt: Date.parse(customer.createdAt) };
  const reserved = await reserveEmail(documents, email, owner);
  if (reserved !== 'RESERVED') return { ok: false, reason: reserved };
  const user: UserRecord = {
    id: userId,
    email,
    passwordHash: input.passwordHash,
    createdAt: customer.createdAt,
    signedInAt: null,
    networks: [],
  };
  const record = await createCustomer(documents, customer, [
    { collection: USERS, id: userId, expectedVersion: 0, value: user },
  ]);
  if (!(await ownsEmail(documents, userId, email))) return { ok: false, reason: 'LOST' };
  return { ok: true, customer: record, user };
}

/** Whether the email belongs to the user, and no later request has taken it over. */
export async function ownsEmail(documents: Documents, userId: string, email: string): Promise<boolean> {
  const owned = await documents.get<EmailOwner>(emailRef(email));
  return owned?.value.userId === userId;
}

/** Reserves an email for a user that is written next. A reservation is void if its user has another email, or none. */
export async function reserveEmail(
  documents: Documents,
  email: string,
  owner: EmailOwner,
): Promise<'RESERVED' | 'EMAIL_TAKEN' | 'UNDER_WAY'> {
  const { scope, collection, id } = emailRef(email);
  const owned = await documents.get<EmailOwner>({ scope, collection, id });
  if (owned !== null) {
    const { customerId, userId, reservedAt } = owned.value;
    const user = await documents.get<UserRecord>(userRef(customerId, userId));
    if (user !== null && hasEmail(user.value, email)) return 'EMAIL_TAKEN';
    const isOwn = userId === owner.userId;
    if (!isOwn && owner.reservedAt < reservedAt + RESERVED_MS) return 'UNDER_WAY';
  }
  const outcome = await documents.write(scope, [
    { collection, id, expectedVersion: owned?.version ?? 0, value: owner },
  ]);
  return outcome.ok ? 'RESERVED' : 'UNDER_WAY';
}

const hasEmail = ({ email: own }: UserRecord, email: string): boolean =>
  own !== null && emailHash(own) === emailHash(email);

export interface FoundUser {
  readonly customer: CustomerRecord;
  readonly user: UserRecord;
}

/** An id that no customer has. */
const NO_CUSTOMER = '00000000-0000-0000-0000-000000000000';

/**
 * The user with this email; null: none, or its customer is being erased. Makes the same number of reads either way, so
 * that timing reveals nothing.
 */
export async function userByEmail(documents: Documents, email: string): Promise<FoundUser | null> {
  const owner = await documents.get<EmailOwner>(emailRef(email));
  const { customerId, userId } = owner?.value ?? { customerId: NO_CUSTOMER, userId: NO_CUSTOMER };
  const found = await readUser(documents, customerId, userId);
  return found !== null && hasEmail(found.user, email) ? found : null;
}

export async function readUser(
  documents: Documents,
  customerId: string,
  userId: string,
): Promise<FoundUser | null> {
  const [user, customer] = await Promise.all([
    documents.get<UserRecord>(userRef(customerId, userId)),
    documents.get<CustomerRecord>({ scope: customerId, collection: CUSTOMERS, id: customerId }),
  ]);
  if (user === null || customer === null || !customer.value.active) return null;
  return { user: user.value, customer: customer.value };
}

/** Creates a user without email and password, who signs in by a link. Does not change an existing one. */
export async function createLinkUser(
  documents: Documents,
  { customerId, userId, at }: { readonly customerId: string; readonly userId: string; readonly at: string },
): Promise<void> {
  const user: UserRecord = {
    id: userId,
    email: null,
    passwordHash: null,
    createdAt: at,
    signedInAt: null,
    networks: [],
  };
  await documents.write(customerId, [{ collection: USERS, id: userId, expectedVersion: 0, value: user }]);
}

/** Releases the emails of a customer that is being erased; its users are deleted with its other records. */
export async function freeEmails(documents: Documents, customerId: string): Promise<void> {
  for (const { value: user } of await documents.list<UserRecord>(customerId, USERS)) {
    if (user.email === null) continue;
    const { scope, collection, id } = emailRef(user.email);
    const owner = await documents.get<EmailOwner>({ scope, collection, id });
    if (owner === null || owner.value.userId !== user.id) continue;
    await documents.write(scope, [{ collection, id, expectedVersion: owner.version, value: null }]);
  }
}
