import { apiKeyClaim, type KeyClaim } from './port.ts';

/** Keys whose customer is remembered at most; the one that was found first goes first. */
const REMEMBERED_CLAIMS = 20_000;

/**
 * Whose key has this hash. A claim never changes, so what was found once stays true and is kept; whether the key still
 * holds is asked of Redis with each request. What was not found is never kept: it may be claimed in the next moment.
 */
export function rememberedClaims(
  read: (claim: string) => Promise<string | null>,
  most = REMEMBERED_CLAIMS,
): (keyHash: string) => Promise<KeyClaim | null> {
  const remembered = new Map<string, KeyClaim>();
  return async (keyHash) => {
    const known = remembered.get(keyHash);
    if (known !== undefined) return known;
    const json = await read(apiKeyClaim(keyHash));
    if (json === null) return null;
    const claim = JSON.parse(json) as KeyClaim;
    for (const oldest of remembered.keys()) {
      if (remembered.size < most) break;
      remembered.delete(oldest);
    }
    remembered.set(keyHash, claim);
    return claim;
  };
}
