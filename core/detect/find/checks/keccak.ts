import { keccak_256 } from '@noble/hashes/sha3.js';

/** The first `count` bytes of an ASCII text's Keccak-256, as Ethereum uses it (without the FIPS 202 padding). */
export function keccakOfAscii(text: string, count: number): Uint8Array {
  return keccak_256(Buffer.from(text, 'latin1')).subarray(0, count);
}
