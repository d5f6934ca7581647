import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '#platform/config/package-root.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { ENTRIES } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { LEDGERED_DOCUMENTS } from '#services/customers/ledgered-documents.ts';
import { openWarehouse } from '../client/clickhouse.ts';
import { migrate } from '../client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../embedded/process.ts';
import type { Warehouse } from '../port.ts';
import { type FoldedVersion, foldedVersions } from './document-versions.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'versions-'));
const logger = createLogger('silent');
let engine: EmbeddedWarehouse;
let warehouse: Warehouse;

beforeAll(async () => {
  engine = await startEmbeddedWarehouse({ path: folder, logger });
  warehouse = openWarehouse({ ...engine, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
});

const row = (customerId: string, index: number, kind: LedgerKind, id: string) => ({
  ...Object.fromEntries(columnNames(ENTRIES).map((name) => [name, ''])),
  ...{ customerId, index, kind, id, core: '{}', detail: null, at: '2026-11-01T00:00:00.000Z' },
  ...{ revision: 0, v: 1, epoch: 1, partition: 0, offset: index },
});

test('the highest version of each document, as the list of documents reads the ids of their entries', async () => {
  const rows = [
    row('alice', 0, 'POLICY_EVENT', 'sandbox:s-1:1'),
    row('alice', 1, 'POLICY_EVENT', 'sandbox:s-1:2'),
    row('alice', 2, 'POLICY_EVENT', 'sandbox:s-1:10'),
    row('alice', 2, 'POLICY_EVENT', 'sandbox:s-1:10'),
    row('alice', 3, 'POLICY_EVENT', 'other:s-1:99'),
    row('bob', 0, 'POLICY_EVENT', 'sandbox:s-1:3'),
    row('bob', 1, 'KEY_EVENT', 'k-1:2'),
    row('bob', 2, 'ERASURE', 'e-1:0-4999'),
    row('bob', 3, 'ERASURE', 'e-1:closing'),
    row('bob', 4, 'ERASURE', 'e-2:closing'),
    row('bob', 5, 'AUDITOR_ACCESS', 'k-1:7'),
    row('bob', 6, 'INCIDENT_EVENT', 'i-1:1'),
    row('bob', 7, 'INCIDENT_EVENT', 'i-1:11'),
    row('bob', 8, 'POLICY_EVENT', 'policy:p-1:2'),
    row('bob', 9, 'POLICY_EVENT', 'policy:p-1:12'),
    row('bob', 10, 'KEY_EVENT', 'auditor:a-1:3'),
    row('bob', 11, 'POLICY_EVENT', 'retention:r-1:4'),
    row('bob', 12, 'POLICY_EVENT', 'hold:9'),
    row('bob', 13, 'POLICY_EVENT', 'hold:10'),
    row('bob', 14, 'POLICY_EVENT', 'settings:9'),
    row('bob', 15, 'POLICY_EVENT', 'settings:11'),
  ];
  await warehouse.insert(ENTRIES.name, columnNames(ENTRIES), rows);
  const found: Record<string, FoldedVersion[]> = {};
  for (const { name, kind, entryId } of LEDGERED_DOCUMENTS) {
    const versions: FoldedVersion[] = [];
    for await (const chunk of foldedVersions(warehouse, kind, entryId)) versions.push(...chunk);
    found[name] = versions.sort((a, b) => (a.customerId < b.customerId ? -1 : 1));
  }
  expect(found).toEqual({
    sandbox: [
      { customerId: 'alice', document: 's-1', version: 10 },
      { customerId: 'bob', document: 's-1', version: 3 },
    ],
    policy: [{ customerId: 'bob', document: 'p-1', version: 12 }],
    'API key': [{ customerId: 'bob', document: 'k-1', version: 2 }],
    auditor: [{ customerId: 'bob', document: 'a-1', version: 3 }],
    'retention policy': [{ customerId: 'bob', document: 'r-1', version: 4 }],
    'list of legal holds': [{ customerId: 'bob', document: 'hold', version: 10 }],
    'settings of patterns': [{ customerId: 'bob', document: 'settings', version: 11 }],
    incident: [{ customerId: 'bob', document: 'i-1', version: 11 }],
    erasure: [{ customerId: 'bob', document: 'closing', version: 1 }],
  });
});
