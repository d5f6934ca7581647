import { hash } from 'node:crypto';
import type { Expiring } from '#platform/state/port.ts';

/** The user that a link signs in. */
interface LinkedUser {
  readonly customerId: string;
  readonly userId: string;
}

export const LINK_MS = 60 * 60_000;
const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[0-9a-f]{64}$/;

const linkKey = (token: string): string => `sign-in-link:${hash('sha256', token)}`;
const usedKey = (token: string): string => `${linkKey(token)}:used`;

/** Creates a link's token, which works once within an hour. Only its hash is stored. */
export async function makeSignInLink(
  expiring: Pick<Expiring, 'set'>,
  randomBytes: (size: number) => Buffer,
  user: LinkedUser,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  await expiring.set(linkKey(token), JSON.stringify(user), LINK_MS);
  return token;
}

/** The user that the token signs in; it cannot be used again. null: unknown, used, or too old. */
export async function useSignInLink(
  expiring: Pick<Expiring, 'get' | 'setIfAbsent' | 'delete'>,
  token: string,
): Promise<LinkedUser | null> {
  if (!TOKEN_PATTERN.test(token)) return null;
  const user = await expiring.get(linkKey(token));
  // Of several concurrent uses only the first succeeds.
  if (user === null || !(await expiring.setIfAbsent(usedKey(token), '1', LINK_MS))) return null;
  await expiring.delete(linkKey(token));
  return JSON.parse(user) as LinkedUser;
}
