/** Names of the cookie that carries a session, and of the header that proves that a page of ours sent a change. */

export const SESSION_COOKIE = 'cas_session';
/** Browsers take a cookie of this name from this very host alone, over TLS: no neighbouring subdomain can set it. */
export const SECURE_SESSION_COOKIE = '__Host-cas_session';
/** The same where a proxy serves the service under a path: the stricter name would need the path `/`. */
export const SECURE_SESSION_COOKIE_OF_PATH = '__Secure-cas_session';
export const CSRF_HEADER = 'x-csrf-token';
