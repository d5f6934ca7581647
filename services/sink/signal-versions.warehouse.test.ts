import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { draftEntry } from '#core/evidence/entry.ts';
import { servedCore, servedDetail } from '#core/evidence/served.ts';
import { createVerifier } from '#core/evidence/verify/verify.ts';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { storeWarehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { entryRows, erasureRows, ledgerRows, signalRows } from '#platform/warehouse/queries/ledger.ts';
import { findSignal } from '#platform/warehouse/queries/signals.ts';
import { signal as shownSignal } from '#schemas/api/signals.ts';
import type { LedgerDraft } from '#schemas/events/events.ts';
import { KINDS } from '#schemas/ledger/kinds.ts';
import { SIGNAL_V1 } from '#schemas/ledger/signal.v1.ts';
import { SIGNAL_V2 } from '#schemas/ledger/signal.v2.ts';
import { SIGNAL_V4 } from '#schemas/ledger/signal.v4.ts';
import type { SignalRow } from '#schemas/tables/tables.ts';
import { warehouseStore } from './flush/queries.ts';
import { createSink } from './pipeline.ts';
import {
  auditIdOf,
  customerIn,
  decodeLedgerEntry,
  draftOf,
  erasureCore,
  openDetail,
  signalCore,
  signalDetail,
  storedRecord,
  timeAt,
} from './testing/sample-log.ts';
import { heldAssignment } from './testing/undisturbed.ts';

/** The versions of a SIGNAL: every reader accepts all, and the default is the second. */

const EPOCH = 1;
const CUSTOMER = customerIn(5);
const FINGERPRINT = '5a'.repeat(32);
/** Numbers that a column must store exactly. */
const CONFIDENCES = [0.30000000000000004];
const logger = { info() {}, warn() {}, error() {} };

let root: string;
let embedded: EmbeddedWarehouse;
let warehouse: Warehouse;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'signal-versions-'));
  embedded = await startEmbeddedWarehouse({ path: root, logger });
  warehouse = openWarehouse({ ...embedded, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas/tables/migrations'));
  await storeWarehouseEpoch(warehouse, { epoch: EPOCH, setUp: 'test' }, 0);
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await embedded.stop();
  await rm(root, { recursive: true });
});

const given = (n: number) => ({
  kind: 'SIGNAL' as const,
  id: auditIdOf(n),
  customerId: CUSTOMER,
  at: timeAt(n + 1),
  core: signalCore(n),
  detail: signalDetail(n),
  coreSalt: Buffer.alloc(32, n + 1),
  detailSalt: Buffer.alloc(32, n + 101),
});
/** The same plus the fields of the second version. */
const givenSecond = (n: number) => ({
  ...given(n),
  core: { ...signalCore(n) },
  detail: { ...signalDetail(n), fingerprint: FINGERPRINT },
});
const first = (n: number): LedgerDraft => draftEntry(given(n), SIGNAL_V1);
const second = (n: number): LedgerDraft => draftEntry(givenSecond(n), SIGNAL_V2);

const SUPPRESSED = [{ reason: 'DETECTOR_OFF', detector: 'phone', code: 'PHONE', count: 2 }];
/** Plus the fields of the third and fourth version. */
const givenFourth = (n: number, confidences: readonly number[]) => ({
  ...givenSecond(n),
  detail: { ...givenSecond(n).detail, suppressed: SUPPRESSED, confidences },
});
const fourth = (n: number): LedgerDraft => draftEntry(givenFourth(n, CONFIDENCES), SIGNAL_V4);

const fold = (drafts: readonly LedgerDraft[], from: number): Promise<undefined> => {
  const records: StoredRecord[] = drafts.map((draft, n) => storedRecord(draft, from + n));
  const nextOffset = records.at(-1)!.offset + 1;
  const batch: Batch = { ...records[0]!, records, nextOffset, end: nextOffset };
  return createSink({
    log: { read: async () => null, bounds: async () => ({ start: 0, end: 0 }) },
    store: warehouseStore(warehouse),
    publish: async () => undefined,
    admission: { removePendingMarks: async () => {} },
    decodeLedgerEntry,
    openDetail,
    epoch: EPOCH,
    now: Date.now,
    logger,
    limits: { minRecords: 1 },
  }).process(batch, heldAssignment(batch));
};

async function verified(change: (rows: Awaited<ReturnType<typeof signalRows>>) => void = () => undefined) {
  const verifier = createVerifier({ customerId: CUSTOMER });
  // One row per page: each page continues where the previous one ended.
  for (let from: number | null = 0; from !== null; ) {
    const page: Awaited<ReturnType<typeof erasureRows>> = await erasureRows(warehouse, CUSTOMER, {
      from,
      limit: 1,
    });
    verifier.erasures(page.ledger, page.entries);
    from = page.next;
  }
  const range = { from: 0, to: 1_000 };
  const signals = await signalRows(warehouse, CUSTOMER, range);
  change(signals);
  verifier.chunk({
    ledger: await ledgerRows(warehouse, CUSTOMER, range),
    signals,
    entries: await entryRows(warehouse, CUSTOMER, range),
  });
  return verifier.finish();
}

const served = async (n: number) => {
  const row = (await findSignal(warehouse, CUSTOMER, auditIdOf(n)))!;
  return { v: row.v, ...servedCore(row), ...servedDetail(row) };
};

test('signals have version 2 by default, entries of all other kinds version 1', () => {
  const emitted = Object.entries(KINDS).map(([kind, { emitted: made }]) => [kind, made.v]);
  expect(emitted).toEqual(Object.keys(KINDS).map((kind) => [kind, kind === 'SIGNAL' ? 2 : 1]));
  expect(draftEntry(givenSecond(9)).v).toBe(2);
  const tooMany = { ...signalDetail(9), fingerprint: FINGERPRINT };
  expect(() => draftEntry({ ...given(9), detail: tooMany }, SIGNAL_V1)).toThrow(
    '1 columns are not part of version 1',
  );
  const tooFew = { ...givenSecond(9), detail: signalDetail(9) };
  expect(() => draftEntry(tooFew)).toThrow('column fingerprint is missing');
  const odd = { ...givenSecond(9), detail: { ...signalDetail(9), fingerprint: 'words' } };
  expect(() => draftEntry(odd)).toThrow('column fingerprint does not hold what version 2 defines');
});

test('both versions are stored and served completely, in one chain', async () => {
  await fold([first(0), second(1), first(2), second(3)], 0);
  expect(await served(0)).toEqual({ v: 1, ...signalCore(0), ...signalDetail(0) });
  const { core, detail } = givenSecond(1);
  expect(await served(1)).toEqual({ v: 2, ...core, ...detail });
  const columns = { ...core, ...detail };
  expect(shownSignal.pick({ fingerprint: true, reasoning: true }).parse(columns)).toEqual({
    fingerprint: FINGERPRINT,
    reasoning: signalDetail(1).reasoning,
  });
  expect(await verified()).toMatchObject({ status: 'VALID', treeSize: 4, errors: [] });
});

test.each([
  ['another fingerprint', 1, 'ab'.repeat(32)],
  ['no fingerprint any more', 1, null],
  ['a fingerprint that version 1 has not', 2, FINGERPRINT],
])('detects %s', async (_name, index, fingerprint) => {
  const result = await verified((rows) => {
    rows.find((row) => row.index === index)!.fingerprint = fingerprint;
  });
  expect(result.brokenAt).toMatchObject({ index, reason: 'MODIFIED' });
});

test('an erasure removes the fingerprint, and nothing can be hidden in its column', async () => {
  const erasure = (n: number, index: number, scope: 'ALL' | 'DETAIL') =>
    draftOf(CUSTOMER, 'ERASURE', n, erasureCore({ ranges: [[index, index]], scope }));
  await fold([erasure(4, 1, 'DETAIL'), erasure(5, 3, 'ALL')], 4);
  expect(await served(1)).toMatchObject({ v: 2, reasoning: null, fingerprint: null });
  expect(await findSignal(warehouse, CUSTOMER, auditIdOf(3))).toBeNull();
  expect(await verified()).toMatchObject({ status: 'VALID', erasedSignals: 2 });
  for (const index of [1, 3]) {
    const result = await verified((rows) => {
      for (const row of rows) if (row.index === index && row.revision > 0) row.fingerprint = FINGERPRINT;
    });
    expect(result.brokenAt).toMatchObject({ index, reason: 'MODIFIED' });
  }
});

test('version 4 is stored and served completely, and a change of its new fields is detected', async () => {
  await fold([fourth(6)], 6);
  const { core, detail } = givenFourth(6, CONFIDENCES);
  expect(await served(6)).toEqual({ v: 4, ...core, ...detail });
  expect(await verified()).toMatchObject({ status: 'VALID', treeSize: 7, errors: [] });
  const changes: Partial<SignalRow>[] = [
    { confidences: [0.3] },
    { confidences: [] },
    { confidences: [...CONFIDENCES, 1] },
    { suppressed: '[]' },
  ];
  for (const change of changes) {
    const result = await verified((rows) => {
      for (const row of rows) if (row.index === 6) Object.assign(row, change);
    });
    expect(result.brokenAt).toMatchObject({ index: 6, reason: 'MODIFIED' });
  }
});

test('detects confidences in a row whose version has none', async () => {
  for (const index of [0, 2]) {
    const result = await verified((rows) => {
      for (const row of rows) if (row.index === index) row.confidences = CONFIDENCES;
    });
    expect(result.brokenAt).toMatchObject({ index, reason: 'MODIFIED' });
  }
});

test('an erasure removes the confidences, and nothing can be hidden in their column', async () => {
  await fold([draftOf(CUSTOMER, 'ERASURE', 7, erasureCore({ ranges: [[6, 6]], scope: 'DETAIL' }))], 7);
  expect(await served(6)).toMatchObject({ v: 4, reasoning: null, confidences: [], suppressed: [] });
  expect(await verified()).toMatchObject({ status: 'VALID', erasedSignals: 3 });
  const result = await verified((rows) => {
    for (const row of rows) if (row.index === 6 && row.revision > 0) row.confidences = CONFIDENCES;
  });
  expect(result.brokenAt).toMatchObject({ index: 6, reason: 'MODIFIED' });
});
