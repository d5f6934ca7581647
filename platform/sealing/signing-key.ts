import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readKeyFile } from './key-file.ts';

/** The Ed25519 key that signs checkpoints and manifests. */
export interface SigningKey {
  /** First 8 bytes of SHA-256 of the raw public key, lower-case hex. */
  readonly keyId: string;
  /** Raw public key, 32 bytes. */
  readonly publicKey: Buffer;
  /**
   * Signature over the message, 64 bytes. Takes about 40 us; a round trip to another thread would cost as much again.
   */
  sign(message: Buffer): Buffer;
}

/** DER of a PKCS #8 Ed25519 private key before its 32-byte seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

const LOST =
  'Restore it from its backup; or, if it is lost, create a new one (openssl genpkey -algorithm ed25519) and inform everyone who verifies signatures: verifications will report that it was not announced';

/**
 * Reads the key from a PEM file (PKCS #8) or a file with the raw 32-byte seed. `create`: create it if it is missing,
 * which is right while nothing has been signed.
 */
export function loadSigningKey(file: string, options: { readonly create: boolean }): SigningKey {
  const key = parse(readKeyFile(file, 'signing key', options.create ? makePem : LOST), file);
  const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url');
  return {
    keyId: createHash('sha256').update(publicKey).digest('hex').slice(0, 16),
    publicKey,
    sign: (message) => sign(null, message, key),
  };
}

function makePem(): Buffer {
  return Buffer.from(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

function parse(bytes: Buffer, file: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key =
      bytes.length === SEED_BYTES
        ? createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, bytes]), format: 'der', type: 'pkcs8' })
        : createPrivateKey(bytes);
  } catch {
    // The library's message may quote the file, so it is not kept as the cause.
  }
  if (key?.asymmetricKeyType !== 'ed25519') {
    throw new Error(`signing key: ${file} holds neither an Ed25519 private key in PEM nor a 32-byte seed`);
  }
  return key;
}

/** DER of an Ed25519 public key before its 32 bytes (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether the signature was made with the key; false for an invalid key or signature. `publicKey`: raw. */
export function isSignedBy(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const der = Buffer.concat([SPKI_PREFIX, publicKey]);
  return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}

/** The message that a key signs to announce the next one. */
const announcementOf = (next: Buffer): Buffer =>
  Buffer.from(`next signing key\n${next.toString('base64')}\n`);

/** Whether the signature is `key`'s announcement of the next key. Both keys raw. */
export const announces = (key: Buffer, next: Buffer, signature: Buffer): boolean =>
  isSignedBy(key, announcementOf(next), signature);

const announcementFile = (file: string): string => `${file}.announcement`;

/** Writes the announcement of the next key next to its file; returns the file's name. */
export function announceKey(key: SigningKey, next: SigningKey, nextFile: string): string {
  const file = announcementFile(nextFile);
  writeFileSync(file, `${key.sign(announcementOf(next.publicKey)).toString('base64')}\n`, { mode: 0o600 });
  return file;
}

/** The announcement next to a key's file; null if there is none. */
export function readAnnouncement(keyFile: string): Buffer | null {
  const file = announcementFile(keyFile);
  return existsSync(file) ? Buffer.from(readFileSync(file, 'utf8').trim(), 'base64') : null;
}
