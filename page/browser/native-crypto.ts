import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import type { RunningDigest, Signed } from '#core/evidence/native-crypto.ts';

/** Replaces core/evidence/native-crypto.ts where there is no `node:crypto`. */

export const sha256 = (bytes: Uint8Array): Buffer => Buffer.from(nobleSha256(bytes));

export const sha256Hex = (bytes: Uint8Array): string => sha256(bytes).toString('hex');

export function createSha256(): RunningDigest {
  const digest = nobleSha256.create();
  return {
    update: (piece) => void digest.update(piece),
    hex: () => Buffer.from(digest.digest()).toString('hex'),
  };
}

/** By RFC 8032, which OpenSSL follows too, and not by the laxer rules of ZIP 215, this library's default. */
export function isSigned({ message, signature, publicKey }: Signed): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    // A key or signature of the wrong length.
    return false;
  }
}
