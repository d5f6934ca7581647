import { NO_OVERRIDES, resolveLimits } from '#core/plans/plans.ts';
import { Refusal, unavailable } from '#platform/flow/refusal.ts';
import { createAccount } from '#records/users/accounts.ts';
import type { NewAccount } from '#schemas/api/accounts/accounts.ts';
import type { ApiDependencies, RecordDependencies } from '../operations/dependencies.ts';
import { newSeed } from '../operations/ids.ts';
import { networkOf } from '../operations/limits/address-buckets.ts';
import { type OpenedSession, openSessionOf, type SignInDependencies, type SignInRequest } from './sign-in.ts';
import { paySignUp } from './throttles.ts';

export type SignUpDependencies = SignInDependencies &
  RecordDependencies & { readonly settings: Pick<ApiDependencies['settings'], 'isSignupOpen'> };

const PLAN = 'DEV';

/** Creates a customer with its user, and signs in. Without sending mail, it cannot hide that an email is taken. */
export async function signUp(
  dependencies: SignUpDependencies,
  { email, password, name, type }: NewAccount,
  request: SignInRequest,
): Promise<OpenedSession> {
  const { state, passwords, settings } = dependencies;
  if (!settings.isSignupOpen) throw new Refusal('SIGNUP_CLOSED');
  const network = networkOf(request.client.address);
  const made = await passwords.during({ network, isKnown: false, gone: request.gone }, async () => {
    await paySignUp(state.admission, network);
    const passwordHash = await passwords.hash(password);
    const { id, at } = newSeed(dependencies);
    const customer = {
      id,
      name,
      type,
      plan: PLAN,
      overrides: NO_OVERRIDES,
      limits: resolveLimits(PLAN),
      createdAt: at,
    } as const;
    const userId = dependencies.newId(Date.parse(at));
    const created = await createAccount(state.documents, { customer, userId, email, passwordHash });
    if (created.ok) return created;
    if (created.reason === 'EMAIL_TAKEN') throw new Refusal('EMAIL_TAKEN');
    // Another request got the email; what this one made belongs to no user.
    if (created.reason === 'LOST')
      await dependencies.directory.eraseCustomer({ customerId: id, ...newSeed(dependencies) });
    throw unavailable(new Error('another request is creating an account with this email'));
  });
  return openSessionOf(dependencies, made, request.client);
}
