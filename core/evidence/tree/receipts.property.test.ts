import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import type { Receipt, ReceiptContent } from '#schemas/api/audits.ts';
import { canonicalJson } from '../canonical-json.ts';
import { isGenuine, MAX_TREE_SIZE, makeReceipts } from './receipts.ts';

/** A fixed seed, so that the receipt at the end of this file does not change. */
const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});
const publicKey = Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '', 'base64url');
const KEY_ID = '0123456789abcdef';
const signWithKey = (message: Buffer): Buffer => sign(null, message, privateKey);

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(toHex);
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const contents = fc.array(
  fc.record<ReceiptContent>({
    payloadDigest: hex(32),
    nonce: hex(32),
    acceptedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'),
    partition: fc.nat({ max: 1_000 }),
    offset: fc.maxSafeNat(),
    keyId: fc.constant(KEY_ID),
  }),
  { minLength: 1, maxLength: MAX_TREE_SIZE },
);
const batch = contents.map((made) => makeReceipts(made, KEY_ID, signWithKey));

/** The receipt with one string or number changed. */
function changed(receipt: Receipt, seed: number): Receipt {
  const copy = structuredClone(receipt) as unknown as Record<string, unknown>;
  const fields: [Record<string, unknown>, string][] = [];
  const visit = (node: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(node)) {
      if (typeof value === 'object') visit(value as Record<string, unknown>);
      else fields.push([node, name]);
    }
  };
  visit(copy);
  const [node, name] = fields[seed % fields.length]!;
  const value = node[name];
  node[name] = typeof value === 'number' ? value + 1 : changedText(value as string, seed);
  return copy as unknown as Receipt;
}

function changedText(text: string, seed: number): string {
  // The last two characters of the signature's base64 are padding.
  const at = seed % (text.length - 3);
  return `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;
}

describe('receipts', () => {
  test('are genuine individually in a batch of any size, and only under their key', () => {
    fc.assert(
      fc.property(batch, (receipts) => {
        for (const receipt of receipts) expect(isGenuine(receipt, publicKey)).toBe(true);
        expect(isGenuine(receipts[0]!, Buffer.alloc(32, 9))).toBe(false);
        expect(isGenuine(receipts[0]!, Buffer.alloc(0))).toBe(false);
        expect(new Set(receipts.map(({ signature }) => signature)).size).toBe(1);
      }),
      { numRuns: 20 },
    );
  });

  test('are not genuine with any value changed', () => {
    fc.assert(
      fc.property(batch, fc.nat(), fc.nat(), (receipts, which, seed) => {
        const receipt = receipts[which % receipts.length]!;
        expect(isGenuine(changed(receipt, seed), publicKey)).toBe(false);
      }),
    );
  });

  test('are not genuine with another index or size, or with a path that is shorter, longer or missing', () => {
    fc.assert(
      fc.property(batch, fc.nat(), fc.nat({ max: 2 * MAX_TREE_SIZE }), (receipts, which, other) => {
        fc.pre(receipts.length > 1);
        const receipt = receipts[which % receipts.length]!;
        const inclusion = receipt.inclusion!;
        const genuine = (change: Partial<NonNullable<Receipt['inclusion']>>): boolean =>
          isGenuine({ ...receipt, inclusion: { ...inclusion, ...change } }, publicKey);
        if (other !== inclusion.leafIndex) expect(genuine({ leafIndex: other })).toBe(false);
        if (other !== inclusion.treeSize) expect(genuine({ treeSize: other })).toBe(false);
        if (inclusion.hashes.length > 0) expect(genuine({ hashes: inclusion.hashes.slice(1) })).toBe(false);
        expect(genuine({ hashes: [...inclusion.hashes, inclusion.rootHash] })).toBe(false);
        expect(genuine({ hashes: ['00'] })).toBe(false);
        const { inclusion: _, ...without } = receipt;
        expect(isGenuine(without, publicKey)).toBe(false);
      }),
    );
  });

  test('are signed directly when made alone, as in earlier releases', () => {
    fc.assert(
      fc.property(contents, fc.nat(), ([content], seed) => {
        const signature = signWithKey(Buffer.from(canonicalJson(content))).toString('base64');
        const receipt: Receipt = { ...content!, signature };
        expect(makeReceipts([content!], KEY_ID, signWithKey)).toEqual([receipt]);
        expect(isGenuine(receipt, publicKey)).toBe(true);
        expect(isGenuine(changed(receipt, seed), publicKey)).toBe(false);
      }),
    );
  });
});
