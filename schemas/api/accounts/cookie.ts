/** Names of the session cookie, and of the header that proves that one of our pages sent a change. */

export const SESSION_COOKIE = 'cas_session';
/** Browsers accept a cookie with this prefix only from this exact host, over TLS: no sibling subdomain can set it. */
export const SECURE_SESSION_COOKIE = '__Host-cas_session';
/** For a service that a proxy serves under a path, because the stricter name requires the path `/`. */
export const SECURE_SESSION_COOKIE_OF_PATH = '__Secure-cas_session';
export const CSRF_HEADER = 'x-csrf-token';
