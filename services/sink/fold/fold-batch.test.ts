import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { draftEntry } from '#core/evidence/entry.ts';
import { describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { LedgerDraft } from '#schemas/events/events.ts';
import { KINDS } from '#schemas/ledger/kinds.ts';
import { BLANK_CORE, BLANK_DETAIL } from '#schemas/ledger/signal-columns.ts';
import { PARTITIONS } from '#schemas/topics.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import {
  auditIdOf,
  customerIn,
  draftOf,
  erasureCore,
  headersOf,
  opened,
  signalCore,
  signalDetail,
  storedRecord,
} from '../testing/sample-log.ts';
import { type Folded, foldBatch } from './fold-batch.ts';
import type { RefusalReason } from './fold-refused.ts';
import type { FoldRows } from './fold-rows.ts';
import type { LedgerRecord } from './ledger-record.ts';

const EPOCH = 1;
const CUSTOMER = customerIn(2);
const NOTHING = {
  known: new Set<string>(),
  cores: new Map<string, string>(),
  heads: new Map(),
  targets: { signals: [], entries: [], audits: [] },
};

const fold = (records: readonly LedgerRecord[]): Folded => foldBatch({ epoch: EPOCH, records, ...NOTHING });
const recordOf = (draft: LedgerDraft, offset = 0): Promise<LedgerRecord> =>
  opened(storedRecord(draft, offset));

describe('every earlier entry still folds into the same rows', () => {
  const schemas = path.join(packageRoot(), 'schemas/ledger/fixtures');
  const folded = path.join(packageRoot(), 'services/sink/fold/fixtures');
  const read = (name: string, folder: string): unknown =>
    JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  const names = readdirSync(folded, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json'));

  test('every entry has a fixture of its rows', () => {
    const entries = readdirSync(schemas, { recursive: true }).map(String);
    expect(names.sort()).toEqual(entries.filter((name) => name.endsWith('.json')).sort());
  });
  test.each(names)('%s', async (name) => {
    const { draft, leaf, previousHash, hash } = read(name, schemas) as {
      draft: Record<string, string>;
      leaf: { index: number };
      previousHash: string;
      hash: string;
    };
    const bytes = (column: string): Buffer => Buffer.from(draft[column]!, 'hex');
    const salts = { coreSalt: bytes('coreSalt'), detailSalt: bytes('detailSalt') };
    const made = { ...draft, ...salts, coreHash: bytes('coreHash'), detailHash: bytes('detailHash') };
    const record = await recordOf(made as unknown as LedgerDraft, 17);
    const head = { index: leaf.index - 1, hash: previousHash, closed: false };
    const heads = leaf.index === 0 ? new Map() : new Map([[record.key, head]]);
    const { rows, refused } = foldBatch({ epoch: 3, records: [record], ...NOTHING, heads });
    expect(refused).toBeNull();
    expect(rows.ledger[0]?.hash).toBe(hash);
    const expected = read(name, folded) as FoldRows;
    // Rows of an older version are blank in columns added later.
    const blanks = { ...BLANK_CORE, ...BLANK_DETAIL };
    expect(rows).toEqual({ ...expected, signals: expected.signals.map((row) => ({ ...blanks, ...row })) });
  });
});

describe('records that stop the partition', () => {
  const signal = draftOf(CUSTOMER, 'SIGNAL', 1);
  const withCore = (core: object): LedgerDraft => draftOf(CUSTOMER, 'KEY_EVENT', 1, core);
  const cases: [RefusalReason, () => Promise<LedgerRecord>][] = [
    ['KEY_MISMATCH', async () => ({ ...(await recordOf(signal)), key: customerIn(2, 1) })],
    ['WRONG_PARTITION', async () => ({ ...(await recordOf(signal)), partition: 3 })],
    ['PARTITION_COUNT', async () => ({ ...(await recordOf(signal)), partition: PARTITIONS })],
    ['UNKNOWN_VERSION', () => recordOf({ ...signal, v: KINDS.SIGNAL.read.length + 1 })],
    ['UNKNOWN_VERSION', () => recordOf({ ...draftOf(CUSTOMER, 'KEY_EVENT', 1), v: 2 })],
    ['COLUMNS', () => recordOf({ ...signal, v: 2 })],
    ['UNKNOWN_KIND', () => recordOf({ ...signal, kind: 'OTHER' as LedgerKind })],
    ['CORE_HASH', () => recordOf({ ...signal, core: signal.core.replace('HIGH', 'LOW') })],
    ['DETAIL_HASH', () => recordOf({ ...signal, detail: signal.detail.replace('masked', 'naked') })],
    ['COLUMNS', () => recordOf({ ...withCore(signalCore(1)), kind: 'ERASURE' })],
    ['COLUMNS', () => recordOf({ ...signal, id: auditIdOf(2) })],
    ['COLUMNS', () => recordOf({ ...signal, at: '2026-11-01T00:00:00Z' })],
    ['HEADERS', async () => ({ ...(await recordOf(signal)), headers: {} })],
    ['HEADERS', async () => ({ ...(await recordOf(signal)), headers: { ...headersOf(signal), steps: '?' } })],
  ];
  test.each(cases)('%s', async (reason, make) => {
    const good = await recordOf(draftOf(CUSTOMER, 'SIGNAL', 7), 5);
    const bad = { ...(await make()), offset: 6 };
    const after = await recordOf(draftOf(CUSTOMER, 'SIGNAL', 8), 7);
    const { refused, rows, taken } = fold([good, bad, after]);
    expect(refused).toMatchObject({ reason, offset: 6 });
    expect(refused?.message).toContain('audit.ledger/');
    expect(refused?.message).not.toContain('masked');
    // The records before it are folded, none after it.
    expect(taken).toBe(1);
    expect(rows.ledger.map((row) => row.id)).toEqual([auditIdOf(7)]);
  });
});

describe('the erasure of a failed audit', () => {
  const headers = {
    ...headersOf(draftOf(CUSTOMER, 'SIGNAL', 1)),
    provider: '',
    model: '',
    generation: '1',
    attempt: '4',
    'x-failure-code': 'CRASHED',
    'x-failed-at': '2026-11-02T00:00:00.000Z',
  };
  const erasing = (change: object = {}, published: Record<string, string> = headers) =>
    recordOf(draftOf(CUSTOMER, 'ERASURE', 1, erasureCore(change)), 5).then((record) => ({
      ...record,
      headers: published,
    }));

  test("makes its row in the list from the record's headers alone", async () => {
    const { rows, refused } = fold([await erasing()]);
    expect(refused).toBeNull();
    expect(rows.audits).toMatchObject([
      {
        auditId: auditIdOf(1),
        customerId: CUSTOMER,
        erased: true,
        status: 'FAILED',
        failureCode: 'CRASHED',
        completedAt: '2026-11-02T00:00:00.000Z',
        generation: 1,
        attempts: 3,
        provider: null,
        model: null,
        offset: 5,
      },
    ]);
    expect(Number(rows.audits[0]!.rank)).toBe(1_000_001);
  });

  test('makes no row when they describe no audit or another customer’s, or the core stays', async () => {
    for (const record of [
      await erasing({}, {}),
      await erasing({}, { ...headers, customerId: customerIn(2, 1) }),
      await erasing({}, { ...headers, acceptedAt: 'today' }),
      await erasing({ scope: 'DETAIL' }),
    ])
      expect(fold([record])).toMatchObject({ refused: null, rows: { audits: [] } });
    const noTime = fold([await erasing({}, { ...headers, 'x-failed-at': 'today' })]);
    expect(noTime.rows.audits[0]!.completedAt).toBeNull();
  });
});

describe('one entry id, one entry', () => {
  test('the first occurrence wins, and another analysis of the same audit is dropped', async () => {
    const first = await recordOf(draftOf(CUSTOMER, 'SIGNAL', 1), 1);
    const again = await recordOf(draftOf(CUSTOMER, 'SIGNAL', 1, undefined, 50), 2);
    const { rows, repeats } = fold([first, again, await recordOf(draftOf(CUSTOMER, 'SIGNAL', 2), 3)]);
    expect(repeats).toBe(1);
    expect(rows.ledger.map(({ index, offset }) => [index, offset])).toEqual([
      [0, 1],
      [1, 3],
    ]);
    expect(rows.signals[0]!.coreSalt).toBe(first.entry.coreSalt.toString('hex'));
  });
  describe('a repeat with different content', () => {
    const one = () => recordOf(draftOf(CUSTOMER, 'POLICY_EVENT', 1), 1);
    const same = () => recordOf(draftOf(CUSTOMER, 'POLICY_EVENT', 1), 2);
    const other = () => recordOf(draftOf(CUSTOMER, 'POLICY_EVENT', 1, { number: 99 }), 3);
    const contradiction = async () => ({
      epoch: EPOCH,
      partition: 2,
      offset: 3,
      customerId: CUSTOMER,
      entryId: 'POLICY_EVENT:policy_event-1',
      coreHash: (await one()).entry.coreHash.toString('hex'),
      repeatedCoreHash: (await other()).entry.coreHash.toString('hex'),
    });

    test('is dropped and noted, and the chain continues', async () => {
      const next = await recordOf(draftOf(CUSTOMER, 'POLICY_EVENT', 2), 4);
      const { rows, contradictions, repeats, refused } = fold([
        await one(),
        await same(),
        await other(),
        next,
      ]);
      expect([repeats, refused]).toEqual([2, null]);
      expect(contradictions).toEqual([await contradiction()]);
      expect(rows.ledger.map(({ index, offset }) => [index, offset])).toEqual([
        [0, 1],
        [1, 4],
      ]);
    });
    test('is noted even if the entry itself was folded long ago', async () => {
      const first = await one();
      const key = `${CUSTOMER} POLICY_EVENT:policy_event-1`;
      const { rows, contradictions } = foldBatch({
        ...NOTHING,
        epoch: EPOCH,
        records: [await same(), await other()],
        known: new Set([key]),
        cores: new Map([[key, first.entry.coreHash.toString('hex')]]),
      });
      expect(contradictions).toEqual([await contradiction()]);
      expect(rows.ledger).toEqual([]);
    });
    test('is not noted for a signal, because two analyses of one audit may differ', async () => {
      const again = await recordOf(draftOf(CUSTOMER, 'SIGNAL', 1, undefined, 50), 2);
      expect(fold([await recordOf(draftOf(CUSTOMER, 'SIGNAL', 1), 1), again]).contradictions).toEqual([]);
    });
  });
  test('the same id under two kinds or two customers makes two entries', async () => {
    const other = customerIn(2, 1);
    const records = [
      await recordOf(draftOf(CUSTOMER, 'SIGNAL', 1), 1),
      await recordOf(draftOf(other, 'SIGNAL', 1), 2),
      await recordOf({ ...draftOf(CUSTOMER, 'KEY_EVENT', 1), id: auditIdOf(1) }, 3),
    ];
    expect(fold(records)).toMatchObject({ repeats: 0, taken: 3 });
  });
});

test('a destroyed key gives blank detail columns, and the chain continues', async () => {
  const records = [
    { ...(await recordOf(draftOf(CUSTOMER, 'SIGNAL', 1), 1)), detail: 'DESTROYED' as const },
    { ...(await recordOf(draftOf(CUSTOMER, 'KEY_EVENT', 2), 2)), detail: 'DESTROYED' as const },
  ];
  const { rows } = fold(records);
  expect(rows.signals[0]).toMatchObject({
    erased: 'DETAIL',
    reasoning: null,
    detections: '[]',
    payloadDigest: null,
    detailSalt: '',
    riskLevel: 'HIGH',
  });
  expect(rows.entries[0]).toMatchObject({
    erased: 'DETAIL',
    detail: null,
    detailSalt: '',
    core: '{"number":2}',
  });
  expect(rows.ledger).toHaveLength(2);
});

describe('the published form of an entry', () => {
  const FINGERPRINT = '5a'.repeat(32);
  const second = (n: number, fingerprint: string | null) => {
    const first = draftOf(CUSTOMER, 'SIGNAL', n);
    return draftEntry({ ...first, core: signalCore(n), detail: { ...signalDetail(n), fingerprint } });
  };
  const published = (records: readonly LedgerRecord[]) =>
    fold(records).entries.map(({ core, fingerprint }) => [core !== null, fingerprint]);

  test('has the fingerprint of a signal', async () => {
    const records = [
      await recordOf(draftOf(CUSTOMER, 'SIGNAL', 1), 1),
      await recordOf(second(2, FINGERPRINT), 2),
      await recordOf(second(3, null), 3),
      await recordOf(draftOf(CUSTOMER, 'KEY_EVENT', 4), 4),
    ];
    expect(published(records)).toEqual([
      [true, null],
      [true, FINGERPRINT],
      [true, null],
      [true, null],
    ]);
  });

  test('has no fingerprint when the detail was destroyed or the customer is closed', async () => {
    const records = [
      { ...(await recordOf(second(1, FINGERPRINT), 1)), detail: 'DESTROYED' as const },
      await recordOf(draftOf(CUSTOMER, 'ERASURE', 2, erasureCore({ closing: true, reason: 'CLOSED' })), 2),
      await recordOf(second(3, FINGERPRINT), 3),
    ];
    expect(published(records)).toEqual([
      [true, null],
      [true, null],
      [false, null],
    ]);
  });
});

test("a closed customer's content is never written in clear, not even temporarily", async () => {
  const records = [
    await recordOf(draftOf(CUSTOMER, 'ERASURE', 1, erasureCore({ closing: true, reason: 'CLOSED' })), 1),
    await recordOf(draftOf(CUSTOMER, 'SIGNAL', 2), 2),
    await recordOf(draftOf(CUSTOMER, 'KEY_EVENT', 3), 3),
    await recordOf(draftOf(CUSTOMER, 'ERASURE', 4, erasureCore({ reason: 'LATER' })), 4),
  ];
  const { rows, heads } = fold(records);
  expect(rows.signals).toHaveLength(1);
  expect(rows.signals[0]).toMatchObject({ erased: 'ALL', revision: 0, model: '', reasoning: null });
  expect(rows.audits).toHaveLength(1);
  expect(rows.audits[0]).toMatchObject({ erased: true, rank: 1_000_001, model: null });
  expect(rows.entries.map(({ core, detail, erased }) => [core !== null, detail !== null, erased])).toEqual([
    [true, true, ''],
    [false, false, 'ALL'],
    [true, false, 'DETAIL'],
  ]);
  expect(heads.get(CUSTOMER)).toMatchObject({ index: 3, closed: true });
});

test('an ERASURE blanks only the listed kinds, and only below itself', async () => {
  const records = [
    await recordOf(draftOf(CUSTOMER, 'SIGNAL', 1), 1),
    await recordOf(draftOf(CUSTOMER, 'KEY_EVENT', 2), 2),
    await recordOf(draftOf(CUSTOMER, 'ERASURE', 3, erasureCore({ ranges: [[0, 9]], kinds: ['SIGNAL'] })), 3),
    await recordOf(draftOf(CUSTOMER, 'SIGNAL', 4), 4),
    await recordOf(draftOf(CUSTOMER, 'ERASURE', 5, erasureCore({ ranges: [[2, 2]] })), 5),
  ];
  const { rows } = fold(records);
  expect(rows.signalTombstones.map(({ index, revision, offset }) => [index, revision, offset])).toEqual([
    [0, 2, 3],
  ]);
  expect(rows.entryTombstones.map(({ index, revision, erased }) => [index, revision, erased])).toEqual([
    [2, 4, 'DETAIL'],
  ]);
  expect(rows.entryTombstones[0]!.core).toContain('DATA_SUBJECT_REQUEST');
  expect(partitionOf(CUSTOMER, PARTITIONS)).toBe(rows.ledger[0]!.partition);
});
