import { verifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import type { SigningKeyRecord } from '#schemas/api/hash-chain.ts';
import type { ApiDependencies } from '../../dependencies.ts';

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
      vkey: verifierKey({ name, publicKey }),
      validFrom,
      validTo: null,
    },
  ];
}
