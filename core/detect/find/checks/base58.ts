import { hash } from 'node:crypto';
import { base58, base58xrp } from '@scure/base';

/** Longer texts encode nothing that we look for; decoding is quadratic in the length. */
const MAX_LENGTH = 44;
const LETTERS = /^[1-9A-HJ-NP-Za-km-z]*$/;

/** The bytes of a base58 string. Whatever would make the library throw is refused before: exceptions are expensive. */
function decode(coder: typeof base58, text: string): Uint8Array | null {
  return text.length <= MAX_LENGTH && LETTERS.test(text) ? coder.decode(text) : null;
}

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

const VERSION_AND_HASH = 21;

/**
 * The version byte of 25 bytes that end with their checksum; -1 when it is wrong. The library's own check throws, so
 * that every token that only looks like an address would cost an exception.
 */
function checkedVersion(bytes: Uint8Array | null): number {
  if (bytes?.length !== VERSION_AND_HASH + 4) return -1;
  const check = sha256(sha256(bytes.subarray(0, VERSION_AND_HASH)));
  for (let i = 0; i < 4; i++) if (check[i] !== bytes[VERSION_AND_HASH + i]) return -1;
  return bytes[0]!;
}

/** The version byte of a base58check string of 25 bytes (Bitcoin, addresses of version 1); -1 when its checksum is wrong. */
export const base58CheckVersion = (text: string): number => checkedVersion(decode(base58, text));

/** The alphabet of the XRP Ledger has the same letters in another order. */
export const isRippleAddress = (text: string): boolean => checkedVersion(decode(base58xrp, text)) === 0;

/** True for a base58 string of 32 bytes, which is what a Solana address is. */
export function isBase58Of32Bytes(text: string): boolean {
  const bytes = decode(base58, text);
  return bytes?.length === 32 && bytes[0] !== 0;
}
