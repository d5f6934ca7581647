import { createHmac, timingSafeEqual } from 'node:crypto';
import { placeOfToken } from '#records/users/sessions.ts';
import {
  SECURE_SESSION_COOKIE,
  SECURE_SESSION_COOKIE_OF_PATH,
  SESSION_COOKIE,
} from '#schemas/api/accounts/cookie.ts';
import type { SentSession } from '../../operations/caller.ts';
import type { Client } from './client.ts';

/**
 * The session in a request's cookie; null: none was sent; 'MALFORMED': what was sent cannot be one. Over TLS only the
 * name counts that no neighbouring host can set. Two of one name were not both set by this service.
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
  const place = second === undefined ? placeOfToken(token) : null;
  return place === null ? 'MALFORMED' : { ...place, token };
}

type CookieScope = Pick<Client, 'isSecure' | 'basePath'>;

/** Browsers take the stricter name for the whole host alone. */
const nameOf = ({ isSecure, basePath }: CookieScope): string => {
  if (!isSecure) return SESSION_COOKIE;
  return basePath === '' ? SECURE_SESSION_COOKIE : SECURE_SESSION_COOKIE_OF_PATH;
};

/** Other services of the same host, under other paths, are not sent the session. */
const attributes = ({ isSecure, basePath }: CookieScope): string =>
  `Path=${basePath || '/'}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

/** The header that gives a browser its session. How long the session lasts is the service's matter. */
export const sessionCookie = (token: string, scope: CookieScope): string =>
  `${nameOf(scope)}=${token}; ${attributes(scope)}`;

/** The header that takes it away. */
export const noSessionCookie = (scope: CookieScope): string =>
  `${nameOf(scope)}=; Max-Age=0; ${attributes(scope)}`;

/** Follows from the session's token, which scripts cannot read, so that it need not be stored. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('csrf').digest('hex');

export function isCsrfToken(sent: string | readonly string[] | undefined, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token));
  const given = Buffer.from(typeof sent === 'string' ? sent : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
