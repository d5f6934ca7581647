import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sampleDraft, storedRows, timeOf } from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { ENTRIES } from '#schemas/tables/tables.ts';
import { openWarehouse } from '../../client/clickhouse.ts';
import { migrate } from '../../client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../../embedded/process.ts';
import type { Warehouse } from '../../port.ts';
import { actingPolicies, countRecorded } from './recorded-rules.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'recorded-rules-'));
const logger = createLogger('silent');
const CUSTOMER = '0190aaaa-0000-7000-8000-0000000000c1';
const OTHER = '0190aaaa-0000-7000-8000-0000000000c2';
let engine: EmbeddedWarehouse;
let warehouse: Warehouse;

const policy = (index: number, policyId: string, version: number, change: object = {}) => ({
  ...sampleDraft(index, 'POLICY_EVENT', {
    ...{ type: 'POLICY', policyId, version, framework: 'GDPR', active: true, deletedAt: null },
    ...change,
  }),
  customerId: CUSTOMER,
  id: `policy:${policyId}:${version}`,
});
const retention = (index: number, policyId: string, version: number, change: object = {}) => ({
  ...policy(index, policyId, version, { type: 'RETENTION', retentionDays: 400, framework: null, ...change }),
  id: `retention:${policyId}:${version}`,
});
const erasure = (index: number, reason: string) => ({
  ...sampleDraft(index, 'ERASURE', {
    ...{ ranges: [[0, 0]], kinds: ['SIGNAL'], scope: 'ALL', reason },
    ...{ basis: null, policyId: null, closing: false },
  }),
  customerId: CUSTOMER,
});
const packed = (index: number) => ({
  ...sampleDraft(index, 'EVIDENCE_EVENT'),
  customerId: CUSTOMER,
  id: 'package:one:1',
});

beforeAll(async () => {
  engine = await startEmbeddedWarehouse({ path: folder, logger });
  warehouse = openWarehouse({ ...engine, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
  const { entries } = storedRows([
    policy(0, 'one', 1),
    retention(1, 'one', 1),
    policy(2, 'two', 9, { active: false }),
    policy(3, 'two', 10),
    retention(4, 'held', 1, { framework: 'HIPAA', retentionDays: 3_000 }),
    erasure(5, 'RETENTION'),
    erasure(6, 'DATA_SUBJECT_REQUEST'),
    erasure(7, 'CUSTOMER_REQUEST'),
    erasure(8, 'CUSTOMER_ERASED'),
    retention(9, 'held', 2, { deletedAt: timeOf(9) }),
    policy(10, 'one', 2, { active: false }),
    { ...sampleDraft(11, 'AUDITOR_ACCESS'), customerId: CUSTOMER },
    packed(12),
    { ...sampleDraft(13, 'AUDITOR_ACCESS'), customerId: CUSTOMER },
  ]);
  await warehouse.insert(ENTRIES.name, columnNames(ENTRIES), entries);
  // A restart writes rows again.
  await warehouse.insert(ENTRIES.name, columnNames(ENTRIES), entries);
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
});

test('policies act according to their newest version below the checkpoint', async () => {
  const gdpr = { type: 'POLICY', framework: 'GDPR', retentionDays: 0 };
  const kept = { type: 'RETENTION', framework: null, retentionDays: 400 };
  const held = { type: 'RETENTION', framework: 'HIPAA', retentionDays: 3_000 };
  const at = async (below: number): Promise<object[]> => {
    const found = await actingPolicies(warehouse, CUSTOMER, below);
    return found.sort(
      (one, other) => one.type.localeCompare(other.type) || one.retentionDays - other.retentionDays,
    );
  };
  expect(await at(3)).toEqual([gdpr, kept]);
  expect(await at(5)).toEqual([gdpr, gdpr, kept, held]);
  expect(await at(11)).toEqual([gdpr, kept]);
  expect(await at(0)).toEqual([]);
  expect(await actingPolicies(warehouse, OTHER, 11)).toEqual([]);
});

test('auditor calls and erasures count in the period, packages at any time', async () => {
  const counted = { customerId: CUSTOMER, below: 14 };
  const none = { auditorCalls: 0, packages: 0, byRetention: 0, asked: 0 };
  const all = { auditorCalls: 2, packages: 1, byRetention: 1, asked: 2 };
  expect(await countRecorded(warehouse, counted)).toEqual(all);
  expect(await countRecorded(warehouse, { ...counted, below: 12 })).toEqual({
    ...all,
    auditorCalls: 1,
    packages: 0,
  });
  expect(await countRecorded(warehouse, { ...counted, below: 7 })).toEqual({
    ...none,
    byRetention: 1,
    asked: 1,
  });
  const [from, to] = [6, 11].map((index) => Date.parse(timeOf(index)));
  expect(await countRecorded(warehouse, { ...counted, from })).toEqual({ ...all, byRetention: 0 });
  expect(await countRecorded(warehouse, { ...counted, to })).toEqual({ ...all, auditorCalls: 1 });
  expect(await countRecorded(warehouse, { ...counted, customerId: OTHER })).toEqual(none);
});
