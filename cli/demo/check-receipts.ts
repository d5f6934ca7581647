import { createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from '#core/evidence/canonical-json.ts';
import type { Client } from '../client.ts';
import type { Ingested } from './ingest.ts';

interface PublishedKey {
  readonly keyId: string;
  /** Base64 of the raw 32 bytes. */
  readonly publicKey: string;
}

/** Checks every receipt's Ed25519 signature with the keys that the service publishes. */
export async function checkReceipts(
  client: Client,
  receipts: readonly Ingested['receipt'][],
): Promise<boolean> {
  const answer = await client.call('GET', '/evidence/hash-chain/keys');
  const keys = new Map(
    (answer.body.data as unknown as PublishedKey[]).map(({ keyId, publicKey }) => [
      keyId,
      createPublicKey({
        key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'base64').toString('base64url') },
        format: 'jwk',
      }),
    ]),
  );
  return receipts.every(({ signature, ...signed }) => {
    const key = keys.get(signed.keyId);
    return (
      key !== undefined &&
      verify(null, Buffer.from(canonicalJson(signed)), key, Buffer.from(signature, 'base64'))
    );
  });
}
