import { bech32, bech32m } from '@scure/base';

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const VALUES = Int8Array.from({ length: 128 }, (_, unit) => LETTERS.indexOf(String.fromCharCode(unit)));
const PREFIX = /^[!-@[-~]{1,83}$/;
const CHECK_LENGTH = 6;

/**
 * Whether the checksum of a lower-case address (human-readable part, `1`, data) is right (BIP 173, BIP 350). It encodes
 * the data again and compares, because decoding a wrong checksum throws, and exceptions are expensive.
 */
export function passesBech32(address: string): boolean {
  const one = address.lastIndexOf('1');
  const prefix = address.slice(0, Math.max(one, 0));
  if (!PREFIX.test(prefix) || address.length - one <= CHECK_LENGTH) return false;
  const words: number[] = [];
  for (let i = one + 1; i < address.length; i++) {
    const value = VALUES[address.charCodeAt(i)] ?? -1;
    if (value < 0) return false;
    words.push(value);
  }
  const data = words.slice(0, -CHECK_LENGTH);
  return [bech32, bech32m].some(({ encode }) => encode(prefix, data, false) === address);
}
