import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { LEDGERED_DOCUMENTS } from '#records/comparison/ledgered-documents.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { ENTRIES, LEDGER } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { openWarehouse } from '../client/clickhouse.ts';
import { migrate } from '../client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../embedded/process.ts';
import type { Warehouse } from '../port.ts';
import { type FoldedVersion, foldedVersions } from './document-versions.ts';
import { type LastEntry, lastEntries } from './evidence/last-entries.ts';

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

test('finds the highest version of each document, parsing entry ids like the list of documents', async () => {
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
    row('bob', 16, 'KEY_EVENT', 'session:ended:2'),
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
    'ended sessions': [{ customerId: 'bob', document: 'ended', version: 2 }],
    incident: [{ customerId: 'bob', document: 'i-1', version: 11 }],
    erasure: [{ customerId: 'bob', document: 'closing', version: 1 }],
  });
});

test('finds the last entry of each document, with its hashes from the chain', async () => {
  const skeleton = (customerId: string, index: number, kind: LedgerKind, id: string) => ({
    ...Object.fromEntries(columnNames(LEDGER).map((name) => [name, ''])),
    ...{ customerId, index, kind, id, at: '2026-11-01T00:00:00.000Z', v: 1, epoch: 1, partition: 0 },
    ...{ entryId: `${kind}:${id}`, offset: index, coreHash: `core ${index}`, detailHash: `detail ${index}` },
  });
  const ids: [number, LedgerKind, string][] = [
    [100, 'POLICY_EVENT', 'sandbox:s-9:1'],
    [101, 'POLICY_EVENT', 'sandbox:s-9:2'],
    [102, 'KEY_EVENT', 'k-9:1'],
    [103, 'KEY_EVENT', 'auditor:a-9:1'],
    [104, 'ERASURE', 'e-1:closing'],
    [105, 'ERASURE', 'e-2:closing'],
  ];
  const salted = (salt: string) =>
    ids.map(([index, kind, id]) => ({ ...row('carol', index, kind, id), coreSalt: salt, detailSalt: salt }));
  await warehouse.insert(ENTRIES.name, columnNames(ENTRIES), salted('salt'));
  // A revision blanked by an erasure hides the row below it.
  const blank = { ...row('carol', 102, 'KEY_EVENT', 'k-9:1'), coreSalt: 'salt', detailSalt: '', revision: 9 };
  await warehouse.insert(ENTRIES.name, columnNames(ENTRIES), [blank]);
  await warehouse.insert(
    LEDGER.name,
    columnNames(LEDGER),
    ids.map(([index, kind, id]) => skeleton('carol', index, kind, id)),
  );
  for (const customerId of ['carol', null]) {
    const found: LastEntry[] = [];
    for await (const chunk of lastEntries(warehouse, LEDGERED_DOCUMENTS, customerId)) found.push(...chunk);
    const seen = found.map(({ type, at, ...one }) => ({ name: LEDGERED_DOCUMENTS[type]!.name, ...one }));
    const expected = (
      index: number,
      name: string,
      document: string,
      version: number,
      detailSalt = 'salt',
    ) => ({
      ...{ customerId: 'carol', name, document, version, index, id: ids[index - 100]![2], coreSalt: 'salt' },
      ...{ detailSalt, coreHash: `core ${index}`, detailHash: `detail ${index}` },
    });
    expect(seen.toSorted((a, b) => a.index - b.index)).toEqual([
      expected(101, 'sandbox', 's-9', 2),
      expected(102, 'API key', 'k-9', 1, ''),
      expected(103, 'auditor', 'a-9', 1),
      expected(105, 'erasure', 'closing', 1),
    ]);
    expect(found[0]!.at).toBe('2026-11-01T00:00:00.000Z');
  }
  expect(await count(lastEntries(warehouse, LEDGERED_DOCUMENTS, 'dave'))).toBe(0);
});

async function count(chunks: AsyncIterable<readonly unknown[]>): Promise<number> {
  let rows = 0;
  for await (const chunk of chunks) rows += chunk.length;
  return rows;
}
