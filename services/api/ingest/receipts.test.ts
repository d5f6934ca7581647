import { createHash } from 'node:crypto';
import { MAX_TREE_SIZE } from '#core/evidence/tree/receipts.ts';
import { describe, expect, test } from '#jest';
import type { Receipt } from '#schemas/api/audits.ts';
import { createReceiptDesk, type ReceiptDesk } from './receipts.ts';

/** A key that counts: it signs by hashing. */
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
const receipts = (desk: ReceiptDesk, count: number): Promise<Receipt[]> =>
  Promise.all(Array.from({ length: count }, (_, offset) => desk.receipt(content(offset))));

describe('receipts of one turn', () => {
  test('share a signature; those of the next have another', async () => {
    const { key, signed } = countingKey();
    const desk = createReceiptDesk(key);
    const first = await receipts(desk, 5);
    expect(signed).toHaveLength(1);
    expect(first.map(({ offset, inclusion }) => [offset, inclusion?.leafIndex, inclusion?.treeSize])).toEqual(
      [0, 1, 2, 3, 4].map((place) => [place, place, 5]),
    );
    const [alone] = await receipts(desk, 1);
    expect(signed).toHaveLength(2);
    expect(alone).not.toHaveProperty('inclusion');
  });

  test('a tree holds so many, and no more', async () => {
    const { key, signed } = countingKey();
    const made = await receipts(createReceiptDesk(key), MAX_TREE_SIZE + 2);
    expect(signed).toHaveLength(2);
    expect(new Set(made.map(({ inclusion }) => inclusion?.treeSize))).toEqual(new Set([MAX_TREE_SIZE, 2]));
    expect(Math.max(...made.map(({ inclusion }) => inclusion!.hashes.length))).toBe(6);
  });

  test('a key that fails, fails for all of them, and for nobody after them', async () => {
    const { key } = countingKey();
    let isBroken = true;
    const desk = createReceiptDesk({
      ...key,
      sign: (message) => {
        if (isBroken) throw new Error('no key');
        return key.sign(message);
      },
    });
    const failed = await Promise.allSettled([desk.receipt(content(1)), desk.receipt(content(2))]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await receipts(desk, 1)).toHaveLength(1);
  });
});
