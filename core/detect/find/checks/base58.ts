import { hash } from 'node:crypto';
import { base58, base58xrp } from '@scure/base';

/** Longer texts encode nothing relevant, and decoding is quadratic in the length. */
const MAX_LENGTH = 44;
const LETTERS = /^[1-9A-HJ-NP-Za-km-z]*$/;

/**
 * Decodes a base58 string. Input on which the library would throw is rejected first, because exceptions are expensive.
 */
function decode(coder: typeof base58, text: string): Uint8Array | null {
  return text.length <= MAX_LENGTH && LETTERS.test(text) ? coder.decode(text) : null;
}

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

const VERSION_AND_HASH = 21;

/**
 * The version byte of 25 bytes that end with their checksum; -1 if it is wrong. The library's own check throws, and an
 * exception for every token that resembles an address would be expensive.
 */
function checkedVersion(bytes: Uint8Array | null): number {
  if (bytes?.length !== VERSION_AND_HASH + 4) return -1;
  const check = sha256(sha256(bytes.subarray(0, VERSION_AND_HASH)));
  for (let i = 0; i < 4; i++) if (check[i] !== bytes[VERSION_AND_HASH + i]) return -1;
  return bytes[0]!;
}

/** The version byte of a 25-byte base58check string (Bitcoin, version 1 addresses); -1 if its checksum is wrong. */
export const base58CheckVersion = (text: string): number => checkedVersion(decode(base58, text));

/** The XRP Ledger's alphabet has the same letters in another order. */
export const isRippleAddress = (text: string): boolean => checkedVersion(decode(base58xrp, text)) === 0;

/** Whether this is a base58 string of 32 bytes, as Solana addresses are. */
export function isBase58Of32Bytes(text: string): boolean {
  const bytes = decode(base58, text);
  return bytes?.length === 32 && bytes[0] !== 0;
}
