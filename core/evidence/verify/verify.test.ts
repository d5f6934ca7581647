import { describe, expect, test } from '#jest';
import { SIGNAL_CORE, SIGNAL_DETAIL } from '#schemas/ledger/signal-columns.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { ENTRIES, LEDGER, SIGNALS } from '#schemas/tables/tables.ts';
import { LEDGER_KINDS } from '#schemas/vocabulary.ts';
import {
  blanked,
  blankedEntry,
  CUSTOMER,
  EPOCH,
  type StoredRows,
  sampleDraft,
  sampleErasure,
  storedRows,
} from '../testing/sample-chain.ts';
import { EMPTY_FRONTIER, rootOf, withLeaf } from '../tree/frontier.ts';
import { type ChainVerification, createVerifier, type VerifyOptions } from './verify.ts';

/** Index -> kind: signals, and each other kind once. Index 7 is an ERASURE of nothing above index 0. */
const sample = (): StoredRows =>
  storedRows([
    sampleDraft(0, 'SIGNAL'),
    sampleDraft(1, 'SIGNAL'),
    sampleDraft(2, 'INCIDENT_EVENT'),
    sampleDraft(3, 'SIGNAL'),
    sampleDraft(4, 'POLICY_EVENT'),
    sampleDraft(5, 'KEY_EVENT'),
    sampleDraft(6, 'AUDITOR_ACCESS'),
    sampleDraft(7, 'ERASURE', sampleErasure({ ranges: [[9, 9]] })),
    sampleDraft(8, 'SIGNAL'),
    sampleDraft(9, 'SIGNAL'),
  ]);

function verify(rows: StoredRows, options: Partial<VerifyOptions> = {}): ChainVerification {
  const verifier = createVerifier({ customerId: CUSTOMER, ...options });
  verifier.erasures(
    rows.ledger.filter((row) => row.kind === 'ERASURE'),
    rows.entries.filter((row) => row.kind === 'ERASURE'),
  );
  verifier.chunk(rows);
  return verifier.finish();
}

/** Root of the tree over all entries, from their leaves alone. */
function rootOfRows({ ledger }: StoredRows): string {
  let tree = EMPTY_FRONTIER;
  for (const row of ledger) tree = withLeaf(tree, Buffer.from(row.leafHash, 'hex'));
  return rootOf(tree).toString('hex');
}

/** Another value of the same type. */
function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 'x';
  if (Array.isArray(value)) return [...value, 'XSS'];
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return new Date(Date.parse(text) + 1).toISOString();
  return `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
}

function expectBrokenAt(rows: StoredRows, index: number, options: Partial<VerifyOptions> = {}): void {
  const result = verify(rows, options);
  expect(result).toMatchObject({ valid: false, status: 'INVALID', brokenAt: { index } });
  expect(result.errors[0]).toEqual(result.brokenAt);
}

test('an untouched chain is valid', () => {
  const rows = sample();
  expect(verify(rows)).toEqual({
    valid: true,
    status: 'VALID',
    treeSize: 10,
    chainHead: rows.ledger[9]!.hash,
    rootHash: rootOfRows(rows),
    verifiedFrom: 0,
    verifiedTo: 9,
    checkedEntries: 10,
    erasedSignals: 0,
    brokenAt: null,
    errors: [],
  });
});

test('an empty ledger is EMPTY; content without a chain is not', () => {
  expect(verify({ ledger: [], signals: [], entries: [] })).toMatchObject({ status: 'EMPTY', treeSize: 0 });
  const { signals } = sample();
  const foldedBelow = { epoch: EPOCH, offset: 1 };
  expect(verify({ ledger: [], signals, entries: [] }, { foldedBelow })).toMatchObject({
    status: 'INVALID',
    brokenAt: { index: 0, reason: 'EXTRA' },
  });
});

describe('one change to one column is found at exactly its index', () => {
  const served = new Set<string>(Object.keys({ ...SIGNAL_CORE, ...SIGNAL_DETAIL }));
  test('the loop over the columns of a signal covers every served one', () => {
    for (const column of served) expect(columnNames(SIGNALS)).toContain(column);
  });
  // Index 3 is in the middle; a changed customerId or index removes the row from the customer's or the range's query.
  test.each(columnNames(SIGNALS))('signals.%s', (column) => {
    const rows = sample();
    const row = rows.signals.find((one) => one.index === 3)! as unknown as Record<string, unknown>;
    row[column] = changed(row[column]);
    expectBrokenAt(rows, 3);
  });
  test.each(columnNames(ENTRIES))('entries.%s', (column) => {
    const rows = sample();
    const row = rows.entries.find((one) => one.index === 5)! as unknown as Record<string, unknown>;
    row[column] = changed(row[column]);
    expectBrokenAt(rows, 5);
  });
  test.each(columnNames(LEDGER))('ledger.%s', (column) => {
    for (const index of [0, 3, 5, 9]) {
      const rows = sample();
      const row = rows.ledger[index]! as unknown as Record<string, unknown>;
      row[column] = changed(row[column]);
      expectBrokenAt(rows, index);
      if (column !== 'index') expect(verify(rows).errors).toHaveLength(1);
    }
  });
  test('a list of detections with the same meaning but another spelling', () => {
    const rows = sample();
    const row = rows.signals.find((one) => one.index === 3)!;
    row.detections = row.detections.replace('[{', '[{"code":"SSN",');
    expectBrokenAt(rows, 3);
  });
  test('null instead of a value', () => {
    const rows = sample();
    rows.signals.find((one) => one.index === 3)!.reasoning = null;
    expectBrokenAt(rows, 3);
  });
});

describe('deleted, inserted, swapped and repeated rows', () => {
  test.each([0, 4, 8])('a deleted ledger row %i is MISSING', (index) => {
    const rows = sample();
    rows.ledger.splice(index, 1);
    const result = verify(rows);
    expect(result.brokenAt).toEqual({ index, id: null, reason: 'MISSING' });
    expect(result.errors).toHaveLength(1);
  });
  test('a truncated chain is shorter but valid: only a checkpoint shows it', () => {
    const rows = sample();
    rows.ledger.pop();
    rows.signals.pop();
    expect(verify(rows)).toMatchObject({ valid: true, treeSize: 9 });
  });
  test('deleted content is MISSING', () => {
    const rows = sample();
    rows.signals.splice(1, 1);
    rows.entries.splice(2, 1);
    expect(verify(rows).errors.map(({ index, reason }) => [index, reason])).toEqual([
      [1, 'MISSING'],
      [5, 'MISSING'],
    ]);
  });
  test('an inserted signal is found, below and above the head', () => {
    const rows = sample();
    rows.signals.push({ ...rows.signals[1]!, auditId: 'another' });
    expect(verify(rows).brokenAt).toEqual({ index: 1, id: rows.ledger[1]!.id, reason: 'EXTRA' });
    const above = sample();
    above.signals.push({ ...above.signals[1]!, index: 77, offset: 15 });
    expect(verify(above).brokenAt).toMatchObject({ index: 77, reason: 'EXTRA' });
    above.signals.at(-1)!.offset = 1e15;
    const known = { foldedBelow: { epoch: EPOCH, offset: 91 }, logEnd: { epoch: EPOCH, offset: 5_000 } };
    expect(verify(above, known).brokenAt).toMatchObject({ index: 77, reason: 'EXTRA' });
  });
  test('content above the folded offset counts as still being folded', () => {
    const rows = sample();
    rows.ledger.pop();
    expect(verify(rows)).toMatchObject({ valid: true });
    expect(verify(rows, { foldedBelow: { epoch: EPOCH, offset: 91 } })).toMatchObject({ valid: false });
  });
  test('content in the table of another kind is EXTRA', () => {
    const rows = sample();
    rows.entries.push({ ...rows.entries[0]!, index: 3 });
    expect(verify(rows).brokenAt).toMatchObject({ index: 3, reason: 'EXTRA' });
  });
  test('two swapped ledger rows are REORDERED', () => {
    const rows = sample();
    const [third, fourth] = [rows.ledger[3]!, rows.ledger[4]!];
    rows.ledger.splice(3, 2, { ...fourth, index: 3 }, { ...third, index: 4 });
    expect(verify(rows).brokenAt).toMatchObject({ index: 3, reason: 'REORDERED' });
  });
  test('two swapped contents are found', () => {
    const rows = sample();
    const [first, second] = [rows.signals[0]!, rows.signals[1]!];
    rows.signals.splice(0, 2, { ...second, index: 0 }, { ...first, index: 1 });
    expectBrokenAt(rows, 0);
  });
  test('a chain reordered with correct hashes is found by its offsets', () => {
    const drafts = [0, 1, 2, 3].map((index) => sampleDraft(index, 'SIGNAL'));
    const rows = storedRows(drafts, (index) => [0, 20, 10, 30][index]!);
    expect(verify(rows).brokenAt).toMatchObject({ index: 2, reason: 'REORDERED' });
  });
  test('byte-identical duplicates are not a fault', () => {
    const rows = sample();
    const twice: StoredRows = {
      ledger: rows.ledger.flatMap((row) => [row, { ...row }]),
      signals: rows.signals.flatMap((row) => [row, { ...row }]),
      entries: [...rows.entries, ...rows.entries.map((row) => ({ ...row }))],
    };
    expect(verify(twice)).toMatchObject({ valid: true, checkedEntries: 10 });
  });
  test('a duplicate that differs in one byte is a fault', () => {
    for (const table of ['ledger', 'signals', 'entries'] as const) {
      const rows = sample();
      const row = rows[table][1]!;
      const other = { ...row, hash: String(changed(row.hash)) };
      rows[table].splice(2, 0, other as never);
      expectBrokenAt(rows, row.index);
      expect(verify(rows).errors).toHaveLength(1);
    }
  });
  test('an entry replaced together with its hashes breaks the next link', () => {
    const rows = sample();
    const forged = storedRows([sampleDraft(0, 'SIGNAL'), sampleDraft(40, 'SIGNAL')]);
    rows.ledger[1] = forged.ledger[1]!;
    rows.signals[1] = forged.signals[1]!;
    expect(verify(rows).brokenAt).toMatchObject({ index: 2, reason: 'CHAIN_LINK' });
  });
});

describe('erasures', () => {
  const kinds = [...LEDGER_KINDS];
  const erased = (change: Parameters<typeof sampleErasure>[0]): StoredRows =>
    storedRows([
      sampleDraft(0, 'SIGNAL'),
      sampleDraft(1, 'INCIDENT_EVENT'),
      sampleDraft(2, 'SIGNAL'),
      sampleDraft(3, 'ERASURE', sampleErasure({ ranges: [[0, 1]], ...change })),
      sampleDraft(4, 'SIGNAL'),
    ]);

  /** The rows that the fold would leave. */
  const folded = (change: Parameters<typeof sampleErasure>[0] = {}): StoredRows => {
    const rows = erased(change);
    const scope = change?.scope ?? 'ALL';
    rows.signals[0] = blanked(rows.signals[0]!, scope, 3);
    rows.entries[0] = blankedEntry(rows.entries[0]!, scope, 3);
    return rows;
  };
  const faultsOf = (rows: StoredRows, options: Partial<VerifyOptions> = {}) =>
    verify(rows, options).errors.map(({ index, reason }) => [index, reason]);

  test('explain blank or missing content', () => {
    const rows = folded();
    expect(verify(rows)).toMatchObject({ valid: true, erasedSignals: 1 });
    rows.signals.shift();
    rows.entries.shift();
    expect(verify(rows)).toMatchObject({ valid: true, erasedSignals: 1 });
  });
  test.each(['ALL', 'DETAIL'] as const)('with scope %s forbid its return', (scope) => {
    const rows = erased({ scope });
    expect(faultsOf(rows)).toEqual([
      [0, 'NOT_ERASED'],
      [1, 'NOT_ERASED'],
    ]);
    // The rows that it hid still exist until they are deleted from disk.
    rows.signals.push(blanked(rows.signals[0]!, scope, 3));
    rows.entries.push(blankedEntry(rows.entries[0]!, scope, 3));
    expect(verify(rows).valid).toBe(true);
  });
  test('with scope ALL require more than a blank detail', () => {
    const rows = storedRows([
      sampleDraft(0, 'SIGNAL'),
      sampleDraft(1, 'ERASURE', sampleErasure({ scope: 'DETAIL' })),
      sampleDraft(2, 'ERASURE', sampleErasure()),
    ]);
    rows.signals[0] = blanked(rows.signals[0]!, 'DETAIL', 1);
    expect(faultsOf(rows)).toEqual([[0, 'NOT_ERASED']]);
    rows.signals.push(blanked(rows.signals[0], 'ALL', 2));
    expect(verify(rows).valid).toBe(true);
  });
  test('allow content while the ERASURE is being folded', () => {
    const rows = erased({});
    expect(faultsOf(rows, { foldedBelow: { epoch: EPOCH, offset: 30 } })).toEqual([]);
    expect(faultsOf(rows, { foldedBelow: { epoch: EPOCH, offset: 31 } })).toHaveLength(2);
  });
  test.each([
    ['another index', { ranges: [[2, 2]] }],
    ['its own index and above', { ranges: [[3, 4]] }],
    ['another kind', { kinds: kinds.filter((kind) => kind !== 'SIGNAL') }],
    ['the detail only', { scope: 'DETAIL' }],
  ] as const)('of %s explain no blank row', (_name, change) => {
    const rows = erased(change as Parameters<typeof sampleErasure>[0]);
    rows.signals[0] = blanked(rows.signals[0]!, 'ALL', 3);
    expect(verify(rows).brokenAt).toEqual({ index: 0, id: rows.ledger[0]!.id, reason: 'MODIFIED' });
    rows.signals.shift();
    expect(verify(rows).brokenAt).toEqual({ index: 0, id: rows.ledger[0]!.id, reason: 'MISSING' });
  });
  test('with scope DETAIL keep the core under proof', () => {
    const rows = folded({ scope: 'DETAIL' });
    expect(verify(rows)).toMatchObject({ valid: true, erasedSignals: 1 });
    rows.signals[0]!.riskLevel = 'LOW';
    expectBrokenAt(rows, 0);
  });
  test.each(columnNames(SIGNALS).filter((column) => column !== 'acceptedAt'))(
    'hide nothing in column %s of an erased signal',
    (column) => {
      const rows = erased({});
      const row = blanked(rows.signals[0]!, 'ALL', 3) as unknown as Record<string, unknown>;
      row[column] = changed(row[column]);
      rows.signals[0] = row as never;
      // Moved to another index, the row is reported there.
      expectBrokenAt(rows, column === 'index' ? 1 : 0);
    },
  );
  test('make content revealed by a higher revision a fault', () => {
    const rows = erased({});
    rows.signals.push({ ...rows.signals[0]!, revision: 9 });
    expectBrokenAt(rows, 0);
  });
  test('never cover the record of an erasure, only its personal fields', () => {
    const rows = storedRows([
      sampleDraft(0, 'ERASURE', sampleErasure({ ranges: [] })),
      sampleDraft(1, 'ERASURE', sampleErasure({ ranges: [[0, 0]] })),
    ]);
    const [first] = rows.entries;
    rows.entries[0] = { ...first!, detail: null, detailSalt: '', revision: 1, erased: 'DETAIL', offset: 10 };
    expect(verify(rows)).toMatchObject({ valid: true, erasedSignals: 0 });
    rows.entries[0] = { ...rows.entries[0], core: null, coreSalt: '', erased: 'ALL' };
    expectBrokenAt(rows, 0);
    rows.entries.shift();
    expectBrokenAt(rows, 0);
  });
  test('explain nothing if the record of the ERASURE was changed', () => {
    const rows = erased({ ranges: [[2, 2]] });
    const entry = rows.entries.find((row) => row.kind === 'ERASURE')!;
    entry.core = entry.core!.replace('[[2,2]]', '[[0,2]]');
    rows.signals[0] = blanked(rows.signals[0]!, 'ALL', 3);
    expect(verify(rows).errors.map(({ index }) => index)).toEqual([0, 3]);
  });
  test('with closing make later entries blank from the start, and no earlier ones', () => {
    const rows = erased({ ranges: [], closing: true });
    expect(faultsOf(rows)).toEqual([[4, 'NOT_ERASED']]);
    const late = rows.signals.findIndex((row) => row.index === 4);
    rows.signals[late] = { ...blanked(rows.signals[late]!, 'ALL', 0), offset: 40 };
    expect(verify(rows)).toMatchObject({ valid: true, erasedSignals: 1 });
    rows.signals[0] = { ...blanked(rows.signals[0]!, 'ALL', 0), offset: 0 };
    expectBrokenAt(rows, 0);
  });
  test('folded while the rows were read explain what they blanked', () => {
    const rows = erased({});
    const verifier = createVerifier({ customerId: CUSTOMER });
    verifier.chunk({
      ledger: rows.ledger.slice(0, 3),
      signals: [blanked(rows.signals[0]!, 'ALL', 3), rows.signals[1]!],
      entries: rows.entries.slice(0, 1),
    });
    expect(verifier.unexplained()).toBe(1);
    verifier.erasures(rows.ledger.slice(3, 4), rows.entries.slice(1));
    expect(verifier.unexplained()).toBe(0);
    expect(verifier.finish()).toMatchObject({ valid: true, erasedSignals: 1, treeSize: 3 });
  });
});

describe('in pieces', () => {
  const slice = (rows: StoredRows, from: number, to: number): StoredRows => ({
    ledger: rows.ledger.filter((row) => row.index >= from && row.index < to),
    signals: rows.signals.filter((row) => row.index >= from && row.index < to),
    entries: rows.entries.filter((row) => row.index >= from && row.index < to),
  });
  test('chunks of any size give the same result as one', () => {
    const rows = sample();
    rows.signals.find((row) => row.index === 8)!.riskLevel = 'LOW';
    for (const size of [1, 3, 4]) {
      const verifier = createVerifier({ customerId: CUSTOMER });
      for (let from = 0; from < 10; from += size) verifier.chunk(slice(rows, from, from + size));
      expect(verifier.finish()).toEqual(verify(rows));
    }
  });
  test('a range is checked against the entry before it', () => {
    const rows = sample();
    const previous = rows.ledger[3]!;
    const range = slice(rows, 4, 8);
    expect(verify(range, { previous })).toMatchObject({
      valid: true,
      verifiedFrom: 4,
      verifiedTo: 7,
      treeSize: 8,
    });
    const other = { ...previous, hash: String(changed(previous.hash)) };
    expect(verify(range, { previous: other }).brokenAt).toMatchObject({ index: 4, reason: 'CHAIN_LINK' });
    expect(verify(slice(rows, 5, 8), { previous }).brokenAt).toMatchObject({ index: 4, reason: 'MISSING' });
  });
  test('the number of faults is limited, and the lowest is always reported', () => {
    const rows = sample();
    for (const row of rows.signals) row.riskLevel = 'LOW';
    rows.signals.shift();
    const result = verify(rows, { maxErrors: 2 });
    expect(result.errors).toHaveLength(2);
    expect(result.brokenAt).toMatchObject({ index: 0, reason: 'MISSING' });
  });
});
