import { createHmac } from 'node:crypto';
import type { ShortHash } from './redact.ts';

const SHOWN_HEX = 8;

/**
 * HMAC-SHA-256 of type and value under a customer's key, cut to 8 hex characters: enough to see that two values are the
 * same, too little to find the value without the key. Repeated values are not hashed again.
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
