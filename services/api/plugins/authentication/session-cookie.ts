import { createHmac, timingSafeEqual } from 'node:crypto';
import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from '#schemas/api/accounts/cookie.ts';
import { placeOfToken, type SessionPlace } from '#services/customers/users/sessions.ts';
import type { Client } from '../client.ts';

/** A session that a request names; whether it is open says the state. */
export interface SentSession extends SessionPlace {
  /** Never logged or stored. */
  readonly token: string;
}

/**
 * The session in a request's cookie; null: none was sent; 'MALFORMED': what was sent cannot be one. Over TLS only the
 * name counts that no neighbouring host can set. Two of one name were not both set by this service.
 */
export function sentSession({
  cookie,
  isSecure,
}: Pick<Client, 'cookie' | 'isSecure'>): SentSession | null | 'MALFORMED' {
  if (cookie === undefined) return null;
  const begin = `${nameOf(isSecure)}=`;
  const [value, second] = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(begin));
  if (value === undefined) return null;
  const token = value.slice(begin.length);
  const place = second === undefined ? placeOfToken(token) : null;
  return place === null ? 'MALFORMED' : { ...place, token };
}

const nameOf = (isSecure: boolean): string => (isSecure ? SECURE_SESSION_COOKIE : SESSION_COOKIE);

const attributes = (isSecure: boolean): string =>
  `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

/** The header that gives a browser its session. How long the session lasts is the service's matter. */
export const sessionCookie = (token: string, isSecure: boolean): string =>
  `${nameOf(isSecure)}=${token}; ${attributes(isSecure)}`;

/** The header that takes it away. */
export const noSessionCookie = (isSecure: boolean): string =>
  `${nameOf(isSecure)}=; Max-Age=0; ${attributes(isSecure)}`;

/** Follows from the session's token, which scripts cannot read, so that it need not be stored. */
export const csrfTokenOf = (token: string): string =>
  createHmac('sha256', token).update('csrf').digest('hex');

export function isCsrfToken(sent: string | readonly string[] | undefined, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(token));
  const given = Buffer.from(typeof sent === 'string' ? sent : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
