import { hash } from 'node:crypto';

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUES = Int8Array.from({ length: 128 }, (_, unit) => LETTERS.indexOf(String.fromCharCode(unit)));

/** The bytes of a base58 string of `length` bytes; null when it is longer or holds another character. */
function decode(text: string, length: number): Uint8Array | null {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < text.length; i++) {
    let carry = VALUES[text.charCodeAt(i)] ?? -1;
    if (carry < 0) return null;
    for (let at = length - 1; at >= 0; at--) {
      carry += bytes[at]! * 58;
      bytes[at] = carry & 0xff;
      carry >>= 8;
    }
    if (carry > 0) return null;
  }
  return bytes;
}

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

const VERSION_AND_HASH = 21;

/** The version byte of a base58check string of 25 bytes (Bitcoin, addresses of version 1); -1 when its check fails. */
export function base58CheckVersion(text: string): number {
  const bytes = decode(text, VERSION_AND_HASH + 4);
  if (bytes === null) return -1;
  const check = sha256(sha256(bytes.subarray(0, VERSION_AND_HASH)));
  for (let i = 0; i < 4; i++) if (check[i] !== bytes[VERSION_AND_HASH + i]) return -1;
  return bytes[0]!;
}

/** The alphabet of the XRP Ledger has the same letters in another order. */
const RIPPLE = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

export function isRippleAddress(text: string): boolean {
  let translated = '';
  for (const letter of text) {
    const at = RIPPLE.indexOf(letter);
    if (at === -1) return false;
    translated += LETTERS[at]!;
  }
  return base58CheckVersion(translated) === 0;
}

/** True for a base58 string of 32 bytes, which is what a Solana address is. */
export function isBase58Of32Bytes(text: string): boolean {
  const bytes = decode(text, 32);
  return bytes !== null && bytes[0] !== 0;
}
