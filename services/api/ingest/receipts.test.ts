import { createHash } from 'node:crypto';
import { MAX_TREE_SIZE } from '#core/evidence/tree/receipts.ts';
import { describe, expect, test } from '#jest';
import type { Receipt } from '#schemas/api/audits.ts';
import { createReceiptSigner, type ReceiptSigner } from './receipts.ts';

/** A key that counts signatures; it signs by hashing. */
function countingKey() {
  const signed: string[] = [];
  const sign = (message: Buffer): Buffer => {
    signed.push(message.toString('latin1'));
    return createHash('sha512').update(message).digest();
  };
  return { signed, key: { keyId: 'k', sign } };
}

const content = (offset: number) => ({
  payloadDigest: 'd'.repeat(64),
  nonce: 'e'.repeat(64),
  acceptedAt: '2026-01-01T00:00:00.000Z',
  partition: 0,
  offset,
});
const receipts = (signer: ReceiptSigner, count: number): Promise<Receipt[]> =>
  Promise.all(Array.from({ length: count }, (_, offset) => signer.receipt(content(offset))));

describe('receipts of one turn', () => {
  test('share a signature, different from the next turn’s', async () => {
    const { key, signed } = countingKey();
    const signer = createReceiptSigner(key);
    const first = await receipts(signer, 5);
    expect(signed).toHaveLength(1);
    expect(first.map(({ offset, inclusion }) => [offset, inclusion?.leafIndex, inclusion?.treeSize])).toEqual(
      [0, 1, 2, 3, 4].map((index) => [index, index, 5]),
    );
    const [alone] = await receipts(signer, 1);
    expect(signed).toHaveLength(2);
    expect(alone).not.toHaveProperty('inclusion');
  });

  test('are limited per tree', async () => {
    const { key, signed } = countingKey();
    const made = await receipts(createReceiptSigner(key), MAX_TREE_SIZE + 2);
    expect(signed).toHaveLength(2);
    expect(new Set(made.map(({ inclusion }) => inclusion?.treeSize))).toEqual(new Set([MAX_TREE_SIZE, 2]));
    expect(Math.max(...made.map(({ inclusion }) => inclusion!.hashes.length))).toBe(6);
  });

  test('all fail if the key fails, without affecting later ones', async () => {
    const { key } = countingKey();
    let isBroken = true;
    const signer = createReceiptSigner({
      ...key,
      sign: (message) => {
        if (isBroken) throw new Error('no key');
        return key.sign(message);
      },
    });
    const failed = await Promise.allSettled([signer.receipt(content(1)), signer.receipt(content(2))]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await receipts(signer, 1)).toHaveLength(1);
  });
});
