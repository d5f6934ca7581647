import { Refusal } from '#platform/flow/refusal.ts';
import { createLinkUser } from '#records/users/accounts.ts';
import { LINK_MS, makeSignInLink } from '#records/users/sign-in-links.ts';
import { USERS, type UserRecord } from '#records/users/user-record.ts';
import type { NewSignInLink, SignInLink } from '#schemas/api/sign-in-links.ts';
import type { ApiDependencies, RecordDependencies } from '../operations/dependencies.ts';
import { existingCustomer, refuseErased } from '../operations/existing-customer.ts';
import { newSeed } from '../operations/ids.ts';

export type LinkDependencies = RecordDependencies & Pick<ApiDependencies, 'randomBytes'>;

/**
 * Makes a sign-in link for a customer in which no user has a password. A user with a password signs in with it: a link
 * would let the operator act in the ledger under that user's id.
 */
export async function createSignInLink(
  dependencies: LinkDependencies,
  { customerId: named }: NewSignInLink,
): Promise<SignInLink> {
  const { directory, state, now, randomBytes } = dependencies;
  // The first start creates its workspace only if there is no customer, so it is the oldest.
  const customerId = named ?? (await directory.customerIds())[0];
  if (customerId === undefined) throw new Refusal('NOT_FOUND', { message: 'There is no customer yet' });
  refuseErased(await existingCustomer(directory, customerId));
  const users = (await state.documents.list<UserRecord>(customerId, USERS)).map(({ value }) => value);
  if (users.some(({ passwordHash }) => passwordHash !== null))
    throw new Refusal('CONFLICT', {
      message: 'A user of this customer has a password; sign in with that email and password',
    });
  const userId = users[0]?.id ?? (named === undefined ? null : await newUser(dependencies, named));
  if (userId === null)
    throw new Refusal('NOT_FOUND', { message: 'The first start made no workspace here: name a customer' });
  const linkToken = await makeSignInLink(state.expiring, randomBytes, { customerId, userId });
  return { customerId, linkToken, expiresAt: new Date(now() + LINK_MS).toISOString() };
}

async function newUser(dependencies: RecordDependencies, customerId: string): Promise<string> {
  const { id: userId, at } = newSeed(dependencies);
  await createLinkUser(dependencies.state.documents, { customerId, userId, at });
  return userId;
}
