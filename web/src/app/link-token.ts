/** Longer than any link token; anything longer is not one. */
const MAX_LENGTH = 128;

const tokenIn = ({ hash }: Pick<Location, 'hash'>): string | null =>
  new URLSearchParams(hash.slice(1)).get('token');

/** Whether the address is a link with a token. */
export const holdsToken = (location: Pick<Location, 'hash'>): boolean => tokenIn(location) !== null;

/**
 * The token of a sign-in link or an auditor, from the fragment `#token=...`, which browsers send to no server. Removed
 * from the address at once, so that neither the history nor a copied address contains it.
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
