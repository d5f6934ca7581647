import { createHash } from 'node:crypto';
import type { SigningKeyRecord } from '#schemas/api/hash-chain.ts';
import type { ApiDependencies } from '../../dependencies.ts';

/** Type byte of Ed25519 in the verifier keys of C2SP signed notes. */
const ED25519 = Buffer.from([0x01]);
const KEY_HASH_BYTES = 4;

/** Verifier key of a signed note: `<name>+<key hash>+<base64 of type and key>`. */
function verifierKey(name: string, publicKey: Buffer): string {
  const typed = Buffer.concat([ED25519, publicKey]);
  const digest = createHash('sha256').update(`${name}\n`).update(typed).digest();
  return `${name}+${digest.subarray(0, KEY_HASH_BYTES).toString('hex')}+${typed.toString('base64')}`;
}

/** Public keys for checking this service's signatures. */
export function signingKeys(
  dependencies: Pick<ApiDependencies, 'signingKey' | 'settings'>,
): SigningKeyRecord[] {
  const { keyId, publicKey } = dependencies.signingKey;
  const { ledgerOrigin: name, signingKeySince: validFrom } = dependencies.settings;
  return [
    {
      keyId,
      name,
      algorithm: 'Ed25519',
      publicKey: publicKey.toString('base64'),
      vkey: verifierKey(name, publicKey),
      validFrom,
      validTo: null,
    },
  ];
}
