import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { ApiDependencies } from '#services/api/operations/dependencies.ts';

/** DER of a PKCS #8 Ed25519 private key up to its 32-byte seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const key = createPrivateKey({
  key: Buffer.concat([PKCS8_PREFIX, Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});
const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url');

/** The same in all runs, so that a seed signs the same bytes. */
export const SIGNING_KEY: ApiDependencies['signingKey'] = {
  keyId: createHash('sha256').update(publicKey).digest('hex').slice(0, 16),
  publicKey,
  sign: (message) => sign(null, message, key),
};

export const LEDGER_ORIGIN = 'simulated';
/** Public keys with which an outside client checks signatures. */
export const NOTE_KEYS = [{ name: LEDGER_ORIGIN, publicKey }];
