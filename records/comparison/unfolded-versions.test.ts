import { beforeEach, expect, test } from '#jest';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { golden } from '#platform/codec/contract.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { LogGap, type LogRecord } from '#platform/event-log/port.ts';
import { type MemoryLog, memoryLog } from '#platform/stream/testing/memory-log.ts';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import type { LedgerEntry } from '#schemas/events/events.ts';
import { LEDGER, PARTITIONS } from '#schemas/topics.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { refuseOlderState } from './older-state.ts';
import { unfoldedVersions } from './unfolded-versions.ts';

const codec = bundledCodec();
const { event } = golden<LedgerEntry>('ledger-entry.v1');
const partition = partitionOf('alice', PARTITIONS);

let log: MemoryLog;
/** The sink's position in Alice's partition; null: it has stored nothing. */
let nextOffset: number | null;
const warehouse = {
  query: async () =>
    nextOffset === null ? [] : [{ topic: LEDGER.name, epoch: 1, partition, nextOffset, lastAt: '' }],
  async *stream() {},
} as unknown as Warehouse;

beforeEach(() => {
  log = memoryLog({ partitions: PARTITIONS });
  nextOffset = null;
});

const record = (kind: LedgerKind, id: string): LogRecord => ({
  topic: LEDGER.name,
  key: 'alice',
  value: codec.encodeLedgerEntry({ ...event, kind, id, customerId: 'alice' }),
  headers: {},
});

async function found(read: Pick<MemoryLog, 'bounds' | 'readFrom'> = log): Promise<Record<string, number>> {
  const versions: [string, number][] = [];
  for await (const { sort, versions: some } of unfoldedVersions({ log: read, warehouse }))
    for (const one of some) versions.push([`${sort.name} ${one.document} of ${one.customerId}`, one.version]);
  return Object.fromEntries(versions);
}

test('finds the highest version of each document in entries after the sink’s position', async () => {
  await log.append([
    record('KEY_EVENT', 'k1:1'),
    record('SIGNAL', 'a1'),
    record('KEY_EVENT', 'k1:2'),
    record('POLICY_EVENT', 'sandbox:s1:3'),
    record('POLICY_EVENT', 'sandbox:s1:2'),
    record('ERASURE', 'e1:closing'),
    record('KEY_EVENT', 'auditor:au1:1'),
    record('POLICY_EVENT', 'hold:4'),
    { ...record('SIGNAL', ''), value: Buffer.from('no entry') },
  ]);
  const all = {
    'API key k1 of alice': 2,
    'sandbox s1 of alice': 3,
    'erasure closing of alice': 1,
    'auditor au1 of alice': 1,
    'list of legal holds hold of alice': 4,
  };
  expect(await found()).toEqual(all);
  nextOffset = 3;
  const { 'API key k1 of alice': _folded, ...rest } = all;
  expect(await found()).toEqual(rest);
  nextOffset = 9;
  expect(await found()).toEqual({});
});

test('skips records that were deleted or cannot be read', async () => {
  await log.append([record('KEY_EVENT', 'k1:1'), record('KEY_EVENT', 'k2:1'), record('KEY_EVENT', 'k3:1')]);
  log.lose(LEDGER.name, partition, 1);
  expect(await found()).toEqual({ 'API key k2 of alice': 1, 'API key k3 of alice': 1 });
  const unreadable = {
    bounds: log.bounds,
    readFrom: (topic: string, at: number, offset: number) =>
      offset < 2
        ? Promise.reject(new LogGap(topic, at, offset, 'damaged records', 2))
        : log.readFrom(topic, at, offset),
  };
  expect(await found(unreadable)).toEqual({ 'API key k3 of alice': 1 });
});

test('refuses a state that lacks a change which is only in the log', async () => {
  const { documents } = memoryState();
  const key = { collection: 'apiKeys', id: 'k1', value: { status: 'active' } };
  await documents.write('alice', [key]);
  await log.append([record('KEY_EVENT', 'k1:1')]);
  await refuseOlderState({ state: { documents }, warehouse, log });
  await log.append([record('KEY_EVENT', 'k1:2')]);
  await expect(refuseOlderState({ state: { documents }, warehouse, log })).rejects.toThrow(
    'API key k1 of customer alice (ledger 2, state 1)',
  );
  await documents.write('alice', [{ ...key, value: { status: 'revoked' } }]);
  await refuseOlderState({ state: { documents }, warehouse, log });
});
