const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const VALUES = Int8Array.from({ length: 128 }, (_, unit) => LETTERS.indexOf(String.fromCharCode(unit)));
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function step(checksum: number, value: number): number {
  const top = checksum >>> 25;
  let next = ((checksum & 0x1ffffff) << 5) ^ value;
  for (let i = 0; i < 5; i++) if ((top >>> i) & 1) next ^= GENERATOR[i]!;
  return next;
}

const BECH32 = 1;
const BECH32M = 0x2bc830a3;

/** True when the check of a lower-case address (human-readable part, `1`, data) holds (BIP 173, BIP 350). */
export function passesBech32(address: string): boolean {
  const one = address.lastIndexOf('1');
  if (one < 1 || address.length - one < 7) return false;
  let checksum = 1;
  for (let i = 0; i < one; i++) checksum = step(checksum, address.charCodeAt(i) >> 5);
  checksum = step(checksum, 0);
  for (let i = 0; i < one; i++) checksum = step(checksum, address.charCodeAt(i) & 31);
  for (let i = one + 1; i < address.length; i++) {
    const value = VALUES[address.charCodeAt(i)] ?? -1;
    if (value < 0) return false;
    checksum = step(checksum, value);
  }
  return checksum === BECH32 || checksum === BECH32M;
}
