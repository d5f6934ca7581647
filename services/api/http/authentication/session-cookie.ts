import { createHmac, timingSafeEqual } from 'node:crypto';
import { sessionRefOfToken } from '#records/users/sessions.ts';
import {
  SECURE_SESSION_COOKIE,
  SECURE_SESSION_COOKIE_OF_PATH,
  SESSION_COOKIE,
} from '#schemas/api/accounts/cookie.ts';
import type { SentSession } from '../../operations/caller.ts';
import type { Client } from './client.ts';

/**
 * The session in a request's cookie; null: none; 'MALFORMED': the cookie cannot be a session. Over TLS only the cookie
 * name that no neighbouring host can set counts. If a name occurs twice, this service did not set both.
 */
export function sentSession(
  client: Pick<Client, 'cookie' | 'isSecure' | 'basePath'>,
): SentSession | null | 'MALFORMED' {
  const { cookie } = client;
  if (cookie === undefined) return null;
  const begin = `${nameOf(client)}=`;
  const [value, second] = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(begin));
  if (value === undefined) return null;
  const token = value.slice(begin.length);
  const place = second === undefined ? sessionRefOfToken(token) : null;
  return place === null ? 'MALFORMED' : { ...place, token };
}

type CookieScope = Pick<Client, 'isSecure' | 'basePath'>;

/** Browsers accept the stricter prefix only for a cookie of the whole host. */
const nameOf = ({ isSecure, basePath }: CookieScope): string => {
  if (!isSecure) return SESSION_COOKIE;
  return basePath === '' ? SECURE_SESSION_COOKIE : SECURE_SESSION_COOKIE_OF_PATH;
};

/** The path keeps the session from other services under other paths of the same host. */
const attributes = ({ isSecure, basePath }: CookieScope): string =>
  `Path=${basePath || '/'}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

/** The header that sets a browser's session cookie. The service decides how long the session lasts. */
export const sessionCookie = (token: string, scope: CookieScope): string =>
  `${nameOf(scope)}=${token}; ${attributes(scope)}`;

/** The header that removes the session cookie. */
export const noSessionCookie = (scope: CookieScope): string =>
  `${nameOf(scope)}=; Max-Age=0; ${attributes(scope)}`;

/** Derived from the session's token, which scripts cannot read, so it need not be stored. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('csrf').digest('hex');

export function isCsrfToken(sent: string | readonly string[] | undefined, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token));
  const given = Buffer.from(typeof sent === 'string' ? sent : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
