import { hash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';

const TAG = 'cas/attestation/v1\0';
/** Version and variant bits of a UUID made from a hash (RFC 9562, version 8). */
const VERSION = 0x80;
const VARIANT = 0x80;

/** Id of an attestation: equal on all nodes for the same control, period and checkpoint. */
export function attestationId(of: object): string {
  const bytes = hash('sha256', Buffer.from(TAG + canonicalJson(of)), 'buffer').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | VERSION;
  bytes[8] = (bytes[8]! & 0x3f) | VARIANT;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
