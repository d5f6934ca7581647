import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sampleFinding } from '#core/correlate/testing/sample-finding.ts';
import { createVerifier } from '#core/evidence/verify/verify.ts';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import type { StoredRecord } from '#platform/event-log/port.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { type State, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { storeWarehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { closedWithFindings } from '#platform/warehouse/queries/evidence/erased-rows.ts';
import { entryRows, ledgerRows, signalRows } from '#platform/warehouse/queries/ledger.ts';
import { ERASURES, type ErasureProgress } from '#records/erasure/erasure-record.ts';
import { erasureProgress } from '#records/erasure/erasures.ts';
import { checkedCollections } from '#records/testing/checked-collections.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { CORRELATION_SNAPSHOTS, CORRELATIONS } from '#schemas/tables/tables.ts';
import { DEAD_LETTERS, RETRY_1, TRIPLETS } from '#schemas/topics.ts';
import { closedWithAudits, warehouseStore } from '../flush/queries.ts';
import { createSink } from '../pipeline.ts';
import {
  auditIdOf,
  customerIn,
  decodeLedgerEntry,
  draftOf,
  erasureCore,
  headersOf,
  openDetail,
  storedRecord,
  timeAt,
} from '../testing/sample-log.ts';
import { undisturbed } from '../testing/undisturbed.ts';
import { eraseLateAudits, eraseLateFindings, removeErasedCustomers } from './erase-customers.ts';
import { scrubErased } from './scrub.ts';

const EPOCH = 1;
const logger = { info() {}, warn() {}, error() {} };
const ERASED = customerIn(5, 0);
const OTHER = customerIn(5, 1);

let root: string;
let embedded: EmbeddedWarehouse;
let warehouse: Warehouse;
let state: State;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'sink-erase-'));
  embedded = await startEmbeddedWarehouse({ path: path.join(root, 'warehouse'), logger });
  warehouse = openWarehouse({ ...embedded, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas/tables/migrations'));
  await storeWarehouseEpoch(warehouse, { epoch: EPOCH, setUp: 'test' }, 0);
  state = checkedCollections(await openEmbeddedState({ path: path.join(root, 'state.mdb'), now: Date.now }));
  // Otherwise a merge would remove what the job is supposed to remove.
  for (const table of ['signals', 'entries', 'audits', 'correlations', 'correlation_snapshots']) {
    await warehouse.command(
      `ALTER TABLE ${table} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`,
    );
  }
}, 60_000);
afterAll(async () => {
  await state.close();
  await warehouse.close();
  await embedded.stop();
  await rm(root, { recursive: true });
});

const offsets = new Map<string, number>();
/** Folds everything again that was folded so far, batch by batch. */
const repeats: (() => Promise<unknown>)[] = [];
async function fold(
  topic: string,
  partition: number,
  records: readonly Omit<StoredRecord, 'offset'>[],
): Promise<void> {
  const first = offsets.get(topic) ?? 0;
  offsets.set(topic, first + records.length);
  const numbered = records.map((record, n) => ({ ...record, topic, partition, offset: first + n }));
  const sink = undisturbed(
    createSink({
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
    }),
  );
  const nextOffset = first + records.length;
  const batch = { topic, partition, records: numbered, nextOffset, end: nextOffset };
  repeats.push(() => sink.process(batch));
  await sink.process(batch);
}
const ledger = (...drafts: ReturnType<typeof draftOf>[]) =>
  fold(
    'audit.ledger',
    5,
    drafts.map((draft) => storedRecord(draft, 0)),
  );
const audit = (topic: string, customerId: string, n: number, headers: Record<string, string> = {}) =>
  fold(topic, 0, [
    {
      topic,
      partition: 0,
      key: auditIdOf(n),
      value: Buffer.from('sealed'),
      headers: { ...headersOf(draftOf(customerId, 'SIGNAL', n)), ...headers },
      timestamp: Date.parse(timeAt(n)),
    },
  ]);

/** Correlators' findings in the customer's signals, in two versions, and how far they folded the signals. */
async function storeFindings(customerId: string): Promise<void> {
  const members = [{ index: 0, id: auditIdOf(0), at: Date.parse(timeAt(1)) }];
  const finding = (version: number) => sampleFinding({ customerId, id: auditIdOf(400), version, members });
  for (const version of [3, 5])
    await warehouse.insert(CORRELATIONS.name, columnNames(CORRELATIONS), [{ ...finding(version) }]);
  const snapshot = { customerId, version: 2 ** 40 + 6, epoch: 1, next: 6, hash: 'ab', snapshot: '{"a":1}' };
  await warehouse.insert(CORRELATION_SNAPSHOTS.name, columnNames(CORRELATION_SNAPSHOTS), [snapshot]);
}
const findingsOf = async (customerId: string): Promise<number[]> => [
  (await rowsOf('correlations', 'version', customerId)).length,
  (await rowsOf('correlation_snapshots', 'version', customerId)).length,
];

/** In an order that does not depend on the tables' parts. */
async function rowsOf(
  table: string,
  columns: string,
  customerId: string,
  final = '',
): Promise<Record<string, unknown>[]> {
  const rows = await warehouse.query<Record<string, unknown>>(
    `SELECT ${columns} FROM ${table} ${final} WHERE customerId = {customerId:String}`,
    { customerId },
  );
  return rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
const wholeOf = async (customerId: string): Promise<string> =>
  JSON.stringify([
    await rowsOf('signals', '*', customerId),
    await rowsOf('entries', '*', customerId),
    await rowsOf('audits', '* EXCEPT (version)', customerId),
    await rowsOf('correlations', '*', customerId),
    await rowsOf('correlation_snapshots', '*', customerId),
  ]);
async function verified(customerId: string) {
  const all = { from: 0, to: null };
  const verifier = createVerifier({ customerId });
  const entries = await entryRows(warehouse, customerId, all);
  const rows = await ledgerRows(warehouse, customerId, all);
  verifier.erasures(rows, entries);
  verifier.chunk({ ledger: rows, signals: await signalRows(warehouse, customerId, all), entries });
  return verifier.finish();
}

const PROGRESS: ErasureProgress = {
  id: 'erasure-1',
  phase: 'REMOVING',
  requestedAt: timeAt(50),
  awaited: null,
  closedAt: 7,
  namedBelow: 8,
  destroyedAt: null,
};
const begin = async (customerId: string, progress: ErasureProgress): Promise<void> => {
  await state.documents.write(SYSTEM_SCOPE, [{ collection: 'openErasures', id: customerId, value: {} }]);
  await state.documents.write(customerId, [{ collection: ERASURES, id: customerId, value: progress }]);
};
const phaseOf = async (customerId: string) =>
  (await erasureProgress(state.documents, customerId))?.value.phase;
const remove = (crash?: () => void) =>
  removeErasedCustomers({
    warehouse,
    documents: state.documents,
    expiring: state.expiring,
    logger,
    probe: () => crash?.(),
  });

describe('the rows of an erased customer', () => {
  test('are deleted, audits without a signal are blanked, and the chain still verifies', async () => {
    for (const customerId of [OTHER, ERASED]) {
      const base = customerId === ERASED ? 0 : 20;
      // In order: completed, failed, being retried, queued.
      for (let n = base; n < base + 6; n += 1) await audit(TRIPLETS.name, customerId, n);
      await audit(DEAD_LETTERS.name, customerId, base + 3, {
        attempt: '4',
        'x-failure-code': 'ANALYSIS_FAILED',
      });
      await audit(RETRY_1.name, customerId, base + 4, { attempt: '2' });
      await ledger(...[0, 1, 2].map((n) => draftOf(customerId, 'SIGNAL', base + n)));
      await storeFindings(customerId);
    }
    const person = draftOf(ERASED, 'ERASURE', 10, erasureCore({ ranges: [[0, 0]], scope: 'DETAIL' }));
    await ledger(draftOf(ERASED, 'KEY_EVENT', 11), draftOf(ERASED, 'POLICY_EVENT', 12), person);
    await ledger(
      draftOf(ERASED, 'ERASURE', 13, erasureCore({ closing: true })),
      draftOf(ERASED, 'SIGNAL', 5),
    );
    await ledger(draftOf(ERASED, 'ERASURE', 14, erasureCore({ ranges: [[0, 6]] })));
    const before = await wholeOf(OTHER);
    expect(await findingsOf(ERASED)).toEqual([2, 1]);
    expect(await wholeOf(ERASED)).toMatch(/masked e-mail in text 1.*person 10/s);

    await begin(ERASED, { ...PROGRESS, phase: 'NAMING' });
    await remove();
    expect(await phaseOf(ERASED)).toBe('NAMING');
    await begin(ERASED, PROGRESS);
    await expect(
      remove(() => {
        throw new Error('killed');
      }),
    ).resolves.toBeUndefined();
    expect(await phaseOf(ERASED)).toBe('REMOVING');
    await remove();
    expect(await phaseOf(ERASED)).toBe('DESTROYING');

    expect(await findingsOf(ERASED)).toEqual([0, 0]);
    const left = await wholeOf(ERASED);
    for (const gone of ['masked', 'person', 'gpt-4o', 'openai', 'HIGH', 'EMAIL"', 'ANALYSIS_FAILED']) {
      expect([gone, left.includes(gone)]).toEqual([gone, false]);
    }
    const audits = await rowsOf('audits', 'auditId, status, failureCode, erased', ERASED, 'FINAL');
    expect(audits).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => {
        const hasSignal = n < 3 || n === 5;
        return {
          auditId: auditIdOf(n),
          status: hasSignal ? 'COMPLETED' : 'FAILED',
          failureCode: hasSignal ? null : 'KEY_DESTROYED',
          erased: true,
        };
      }),
    );
    expect(await verified(ERASED)).toMatchObject({
      status: 'VALID',
      errors: [],
      treeSize: 9,
      erasedSignals: 4,
    });
    expect(await wholeOf(OTHER)).toBe(before);
    expect(await verified(OTHER)).toMatchObject({ status: 'VALID', erasedSignals: 0 });
  });

  test('stay erased when their records are folded again, and the scrub deletes them', async () => {
    const shown = async () => [
      await rowsOf('signals', 'auditId, erased, reasoning', ERASED, 'FINAL'),
      await rowsOf('audits', 'auditId, status, model, erased', ERASED, 'FINAL'),
    ];
    const before = await shown();
    for (const repeat of [...repeats]) await repeat();
    await audit(DEAD_LETTERS.name, ERASED, 4, { attempt: '4', 'x-failure-code': 'KEY_DESTROYED' });
    expect(await shown()).toEqual(before);
    expect(await wholeOf(ERASED)).toContain('gpt-4o');
    await scrubErased(warehouse);
    expect(await wholeOf(ERASED)).not.toContain('gpt-4o');
    expect(await verified(ERASED)).toMatchObject({ status: 'VALID', treeSize: 9 });
  });

  test('late audits are blanked once by the daily job, for this customer only', async () => {
    const before = await wholeOf(OTHER);
    await audit(TRIPLETS.name, ERASED, 7);
    expect(await wholeOf(ERASED)).toContain('gpt-4o');
    expect(await closedWithAudits(warehouse)).toEqual([ERASED]);
    await eraseLateAudits(warehouse);
    expect(await closedWithAudits(warehouse)).toEqual([]);
    await scrubErased(warehouse);
    expect(await wholeOf(ERASED)).not.toContain('gpt-4o');
    const late = await rowsOf('audits', 'auditId, status, erased', ERASED, 'FINAL');
    expect(late).toContainEqual({ auditId: auditIdOf(7), status: 'FAILED', erased: true });
    expect(late).toHaveLength(7);
    expect(await wholeOf(OTHER)).toBe(before);
  });

  test('late findings are deleted by the daily job, for this customer only', async () => {
    const before = await wholeOf(OTHER);
    expect(await closedWithFindings(warehouse)).toEqual([]);
    await storeFindings(ERASED);
    expect(await closedWithFindings(warehouse)).toEqual([ERASED]);
    await eraseLateFindings(warehouse);
    expect(await findingsOf(ERASED)).toEqual([0, 0]);
    expect(await closedWithFindings(warehouse)).toEqual([]);
    expect(await wholeOf(OTHER)).toBe(before);
  });
});
