/** Longer than any token of a link; what is longer is none. */
const MAX_LENGTH = 128;

/**
 * The token of a link that signs in, or of an auditor's, out of the fragment `#token=...`, which a browser sends to nobody. It is taken out of the
 * address at once, so that neither the history nor a copied address holds it.
 */
export function takeLinkToken(
  location: Pick<Location, 'hash' | 'pathname' | 'search'>,
  history: Pick<History, 'replaceState'>,
): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return token === '' || token.length > MAX_LENGTH ? null : token;
}
