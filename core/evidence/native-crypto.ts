import { createHash, createPublicKey, hash, verify } from 'node:crypto';

/**
 * Cryptography for hashes and notes. Browsers have no `node:crypto`: the page inside evidence packages is built with
 * page/browser/native-crypto.ts instead of this file. Code that verifies a package must therefore import nothing else
 * from `node:`.
 */

export const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

/** Lower-case hex. */
export const sha256Hex = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

/** Incremental SHA-256. */
export interface RunningDigest {
  update(piece: Uint8Array): void;
  hex(): string;
}

export function createSha256(): RunningDigest {
  const digest = createHash('sha256');
  return { update: (piece) => void digest.update(piece), hex: () => digest.digest('hex') };
}

/** An Ed25519 signature, 64 bytes, of a message by the raw public key, 32 bytes. */
export interface Signed {
  readonly message: Buffer;
  readonly signature: Buffer;
  readonly publicKey: Buffer;
}

export function isSigned({ message, signature, publicKey }: Signed): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
  return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
}
