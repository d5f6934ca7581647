import { describe, expect, test } from '#jest';
import type { AcceptedAudit, Receipt } from '#schemas/api/audits.ts';
import { acceptedText } from './accepted-text.ts';

const ALONE: Receipt = {
  payloadDigest: 'ab'.repeat(32),
  nonce: 'cd'.repeat(32),
  acceptedAt: '2026-11-25T07:00:00.000Z',
  partition: 11,
  offset: 2 ** 40,
  keyId: '0123456789abcdef',
  signature: 'a+/b'.repeat(22),
};
const inTree = (hashes: string[]): Receipt => {
  const { signature, ...content } = ALONE;
  return {
    ...content,
    inclusion: { leafIndex: 1, treeSize: 3, rootHash: 'ef'.repeat(32), hashes },
    signature,
  };
};

describe('the text of an accepted audit', () => {
  test.each([
    ['alone', ALONE],
    ['of a tree', inTree(['01'.repeat(32), '23'.repeat(32)])],
    ['of a tree, with one partner', inTree(['01'.repeat(32)])],
    ['of a tree, without a path', inTree([])],
  ])('matches a serialiser’s output, with a receipt %s', (_, receipt) => {
    const [auditId, status, sandboxSlug] = [
      '0190a5c8-3f6b-7c44-9a5b-3c1f6c6f0a11',
      'QUEUED',
      'a-b_9',
    ] as const;
    const { acceptedAt } = receipt;
    const answer: AcceptedAudit = {
      success: true,
      auditId,
      status,
      data: { auditId, status, sandboxSlug, acceptedAt, receipt },
    };
    expect(acceptedText(auditId, sandboxSlug, receipt)).toBe(JSON.stringify(answer));
  });
});
