import { keccak_256 } from '@noble/hashes/sha3.js';

/** The first `count` bytes of Keccak-256 of an ASCII text, as Ethereum uses it (not the padding of FIPS 202). */
export function keccakOfAscii(text: string, count: number): Uint8Array {
  return keccak_256(Buffer.from(text, 'latin1')).subarray(0, count);
}
