import { createHmac } from 'node:crypto';
import type { ShortHash } from './redact.ts';

const SHOWN_HEX = 8;

/**
 * HMAC-SHA-256 of type and value under a customer's key, truncated to 8 hex characters. That is enough to see that two
 * values are equal, but not to recover a value without the key. Hashes of repeated values are cached.
 */
export function shortHash(key: Buffer): ShortHash {
  const made = new Map<string, string>();
  return (entity, value) => {
    const named = `${entity}\0${value}`;
    let hash = made.get(named);
    if (hash === undefined) {
      hash = createHmac('sha256', key).update(named).digest('hex').slice(0, SHOWN_HEX);
      made.set(named, hash);
    }
    return hash;
  };
}
