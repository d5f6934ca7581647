import { isGenuine } from '#core/evidence/tree/receipts.ts';
import type { Receipt } from '#schemas/api/audits.ts';
import type { SigningKeyRecord } from '#schemas/api/evidence/hash-chain.ts';
import { listSigningKeys } from '#schemas/endpoints.ts';
import type { Client } from '../../cli/command/client.ts';

/** Checks every receipt with the service's published keys. */
export async function checkReceipts(client: Client, receipts: readonly Receipt[]): Promise<boolean> {
  const answer = await client.call(listSigningKeys);
  const published = answer.body.data as unknown as SigningKeyRecord[];
  const keys = new Map(published.map(({ keyId, publicKey }) => [keyId, Buffer.from(publicKey, 'base64')]));
  return receipts.every((receipt) => {
    const key = keys.get(receipt.keyId);
    return key !== undefined && isGenuine(receipt, key);
  });
}
