import { apiKeyClaim, type KeyClaim } from '../port.ts';
import { claimIn } from './claim-text.ts';

/** Maximum number of keys whose customer is cached; evicted in order of insertion. */
const REMEMBERED_CLAIMS = 20_000;

/**
 * Finds the key with this hash. A claim never changes, so a found one is cached; each request checks in Redis whether
 * the key is still valid. A miss is never cached, because the name may be claimed at any moment.
 */
export function rememberedClaims(
  read: (claim: string) => Promise<string | null>,
  maxClaims = REMEMBERED_CLAIMS,
): (keyHash: string) => Promise<KeyClaim | null> {
  const remembered = new Map<string, KeyClaim>();
  return async (keyHash) => {
    const known = remembered.get(keyHash);
    if (known !== undefined) return known;
    const name = apiKeyClaim(keyHash);
    const text = await read(name);
    if (text === null) return null;
    const claim = claimIn(name, text) as KeyClaim;
    for (const oldest of remembered.keys()) {
      if (remembered.size < maxClaims) break;
      remembered.delete(oldest);
    }
    remembered.set(keyHash, claim);
    return claim;
  };
}
