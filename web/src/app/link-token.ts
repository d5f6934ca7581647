/** Longer than any token of a link; what is longer is none. */
const MAX_LENGTH = 128;

const tokenIn = ({ hash }: Pick<Location, 'hash'>): string | null =>
  new URLSearchParams(hash.slice(1)).get('token');

/** Whether the address is that of a link with a token. */
export const holdsToken = (location: Pick<Location, 'hash'>): boolean => tokenIn(location) !== null;

/**
 * The token of a link that signs in, or of an auditor's, out of the fragment `#token=...`, which a browser sends to nobody. It is taken out of the
 * address at once, so that neither the history nor a copied address holds it.
 */
export function takeLinkToken(
  location: Pick<Location, 'hash' | 'pathname' | 'search'>,
  history: Pick<History, 'replaceState'>,
): string | null {
  const token = tokenIn(location);
  if (token === null) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return token === '' || token.length > MAX_LENGTH ? null : token;
}
