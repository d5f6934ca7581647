import { describe, expect, test } from '#jest';
import { CUSTOMER, type StoredRows, sampleDraft, storedRows } from '../testing/sample-chain.ts';
import { EMPTY_FRONTIER, rootOf, withLeaf } from '../tree/frontier.ts';
import { type ChainVerification, createVerifier } from './verify.ts';

const sample = (): StoredRows =>
  storedRows(Array.from({ length: 10 }, (_, index) => sampleDraft(index, 'SIGNAL')));

const within = ({ ledger, signals }: StoredRows, from: number, to: number) => ({
  ledger: ledger.slice(from, to + 1),
  signals: signals.slice(from, to + 1),
  entries: [],
});

describe('for an index with more rows than are given', () => {
  const verifyCut = (rows: StoredRows, cut: 'LEDGER' | 'CONTENT'): ChainVerification => {
    const verifier = createVerifier({ customerId: CUSTOMER });
    verifier.chunk(within(rows, 0, 2));
    verifier.chunk({ ...within(rows, 3, 3), cut });
    verifier.chunk(within(rows, 4, 9));
    return verifier.finish();
  };

  test('correct content is a fault, but the tree is known', () => {
    const rows = sample();
    const root = rows.ledger.reduce(
      (tree, { leafHash }) => withLeaf(tree, Buffer.from(leafHash, 'hex')),
      EMPTY_FRONTIER,
    );
    const found = verifyCut(rows, 'CONTENT');
    expect(found.errors).toMatchObject([{ index: 3, reason: 'EXTRA' }]);
    expect(found.rootHash).toBe(rootOf(root).toString('hex'));
  });

  test('a ledger row is a fault, and the next one may link to a row that is not given', () => {
    const rows = sample();
    rows.ledger[3] = { ...rows.ledger[3]!, hash: 'ab'.repeat(32), leafHash: 'cd'.repeat(32) };
    const found = verifyCut(rows, 'LEDGER');
    expect(found.errors).toMatchObject([{ index: 3, reason: 'MODIFIED' }]);
    expect(found).toMatchObject({ treeSize: 10, rootHash: null });
  });
});

test('a chain that ends before the last entry has a missing one', () => {
  const verify = (head: number): ChainVerification => {
    const verifier = createVerifier({ customerId: CUSTOMER, head });
    verifier.chunk(sample());
    return verifier.finish();
  };
  expect(verify(9)).toMatchObject({ status: 'VALID' });
  expect(verify(10).errors).toEqual([{ index: 10, id: null, reason: 'MISSING' }]);
});

test('content after the last entry stops mattering once it is a fault', () => {
  const [signal] = sample().signals;
  const verifier = createVerifier({ customerId: CUSTOMER });
  const strays = (from: number, count: number) => ({
    ledger: [],
    signals: Array.from({ length: count }, (_, position) => ({ ...signal!, index: from + position })),
    entries: [],
  });
  verifier.chunk(strays(0, 100_000));
  expect(verifier.isOverrun()).toBe(false);
  verifier.chunk(strays(100_000, 1));
  expect(verifier.isOverrun()).toBe(true);
  expect(verifier.finish()).toMatchObject({ status: 'INVALID', brokenAt: { index: 100_000 } });
});
