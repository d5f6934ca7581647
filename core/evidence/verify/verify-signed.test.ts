import { describe, expect, test } from '#jest';
import { CUSTOMER, type StoredRows, sampleDraft, storedRows } from '../testing/sample-chain.ts';
import { EMPTY_FRONTIER, rootOf, withLeaf } from '../tree/frontier.ts';
import { type ChainVerification, createVerifier, type SignedTree, type VerifyOptions } from './verify.ts';

const sample = (): StoredRows =>
  storedRows(
    Array.from({ length: 10 }, (_, index) => sampleDraft(index, index === 4 ? 'KEY_EVENT' : 'SIGNAL')),
  );

function verify(rows: StoredRows, options: Partial<VerifyOptions> = {}): ChainVerification {
  const verifier = createVerifier({ customerId: CUSTOMER, ...options });
  verifier.chunk(rows);
  return verifier.finish();
}

/** The values of a checkpoint over the first `size` entries. */
function signedOf({ ledger }: StoredRows, size: number): SignedTree {
  let tree = EMPTY_FRONTIER;
  for (const row of ledger.slice(0, size)) tree = withLeaf(tree, Buffer.from(row.leafHash, 'hex'));
  return { size, root: rootOf(tree).toString('hex'), chainHead: ledger[size - 1]!.hash };
}

describe('against the signed tree', () => {
  test('the same chain and its extensions are valid', () => {
    const rows = sample();
    for (const size of [1, 7, 10]) {
      expect(verify(rows, { signed: signedOf(rows, size) })).toMatchObject({ valid: true, treeSize: 10 });
    }
  });

  test('a truncated or rewritten chain is a ROLLBACK', () => {
    const rows = sample();
    const signed = signedOf(rows, 9);
    for (const size of [0, 1, 8]) {
      const cut = { ...rows, ledger: rows.ledger.slice(0, size), signals: [], entries: [] };
      const kept = (index: number): boolean => index < size;
      const left = {
        ...cut,
        signals: rows.signals.filter(({ index }) => kept(index)),
        entries: rows.entries.filter(({ index }) => kept(index)),
      };
      const found = verify(left, { signed });
      expect(found.errors).toEqual([{ index: size, id: null, reason: 'ROLLBACK' }]);
    }
    const other = { ...signed, root: signedOf(rows, 8).root };
    expect(verify(rows, { signed: other }).errors).toEqual([{ index: 8, id: null, reason: 'ROLLBACK' }]);
    const head = { ...signed, chainHead: rows.ledger[7]!.hash };
    expect(verify(rows, { signed: head }).brokenAt).toMatchObject({ reason: 'ROLLBACK' });
  });

  test('a missing or changed entry is reported as such', () => {
    const rows = sample();
    const signed = signedOf(rows, 9);
    const without = { ...rows, ledger: rows.ledger.filter(({ index }) => index !== 3) };
    expect(verify(without, { signed }).brokenAt).toMatchObject({ index: 3, reason: 'MISSING' });
    expect(verify(without, { signed })).toMatchObject({ rootHash: null });
  });
});
