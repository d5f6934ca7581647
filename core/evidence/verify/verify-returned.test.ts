import { expect, test } from '#jest';
import { blanked, CUSTOMER, sampleDraft, sampleErasure, storedRows } from '../testing/sample-chain.ts';
import { createVerifier } from './verify.ts';

/** Two signals, and an ERASURE of the first. */
const drafts = [
  sampleDraft(0, 'SIGNAL'),
  sampleDraft(1, 'SIGNAL'),
  sampleDraft(2, 'ERASURE', sampleErasure({ ranges: [[0, 0]] })),
];

function folded() {
  const rows = storedRows(drafts);
  rows.signals[0] = blanked(rows.signals[0]!, 'ALL', 2);
  return rows;
}

function faultsOf(rows: ReturnType<typeof storedRows>, servedAudits: ReadonlySet<string> = new Set()) {
  const verifier = createVerifier({ customerId: CUSTOMER });
  verifier.erasures(rows.ledger, rows.entries);
  const audits = verifier.erasedAudits(rows.ledger);
  verifier.chunk({ ...rows, servedAudits });
  return { audits, faults: verifier.finish().errors.map(({ index, reason }) => [index, reason]) };
}

test.each([
  ['with its content', {}],
  ['with another content', { model: 'another' }],
  ['that says that its detail is gone', { erased: 'DETAIL' }],
])('a row of a higher revision %s is returned content', (_name, change) => {
  const rows = folded();
  rows.signals.push({ ...storedRows(drafts).signals[0]!, revision: 9, ...change });
  expect(faultsOf(rows).faults).toEqual([[0, 'NOT_ERASED']]);
});

test('a row of the same revision, or with another sort key, is returned content', () => {
  for (const change of [{ revision: 2 }, { createdAt: '2020-01-01T00:00:00.000Z' }]) {
    const rows = folded();
    rows.signals.push({ ...storedRows(drafts).signals[0]!, ...change });
    expect(faultsOf(rows).faults).toEqual([[0, 'NOT_ERASED']]);
  }
});

test('the row of an erased signal in the audit list is returned content, and that of no other signal', () => {
  const rows = folded();
  const [first, second] = rows.ledger.map(({ id }) => id);
  expect(faultsOf(rows)).toEqual({ audits: [first], faults: [] });
  expect(faultsOf(rows, new Set([first!, second!])).faults).toEqual([[0, 'NOT_ERASED']]);
});
