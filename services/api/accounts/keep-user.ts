import { Refusal, unavailable } from '#platform/flow/refusal.ts';
import { setCredentials } from '#records/users/set-credentials.ts';
import type { NewCredentials } from '#schemas/api/accounts/accounts.ts';
import type { Caller } from '../operations/caller.ts';
import { networkOf } from '../operations/limits/address-buckets.ts';
import { type OpenedSession, type SignInDependencies, type SignInRequest, sessionOf } from './sign-in.ts';
import { paySignIn } from './throttles.ts';

/** Gives the user of a one-time link the email and password that it signs in with from then on. */
export async function keepUser(
  { state, passwords, now }: Pick<SignInDependencies, 'state' | 'passwords' | 'now'>,
  caller: Caller,
  { email, password }: NewCredentials,
  { client, gone }: SignInRequest,
): Promise<OpenedSession> {
  const { token, userId, sessionId } = sessionOf(caller);
  const network = networkOf(client.address);
  return passwords.during({ network, isKnown: true, gone }, async () => {
    await paySignIn(state.admission, network);
    const kept = await setCredentials(state.documents, {
      session: { customerId: caller.customerId, sessionId, userId },
      email,
      passwordHash: await passwords.hash(password),
      at: now(),
    });
    if (kept.ok) return { customer: kept.customer, user: kept.user, token };
    throw refusalOf(kept.reason);
  });
}

function refusalOf(reason: Extract<Awaited<ReturnType<typeof setCredentials>>, { ok: false }>['reason']) {
  switch (reason) {
    case 'ALREADY_SET':
      return new Refusal('CONFLICT', {
        message: 'This user has a password; sign in with that email and password',
      });
    case 'TOO_OLD':
      return new Refusal('FRESH_LINK_REQUIRED');
    case 'EMAIL_TAKEN':
      return new Refusal('EMAIL_TAKEN');
    case 'GONE':
      return new Refusal('INVALID_SESSION');
    case 'UNDER_WAY':
      return unavailable(new Error('another request makes an account with this email'));
  }
}
