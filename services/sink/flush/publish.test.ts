import { expect, test } from '#jest';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { memoryLog } from '#platform/stream/testing/memory-log.ts';
import { SIGNALS } from '#schemas/topics.ts';
import type { OwnedEntry } from '../fold/fold-batch.ts';
import { publishFolded } from './publish.ts';

const codec = bundledCodec();
const entry = (
  customerId: string,
  index: number,
  core: string | null = '{}',
  kind = 'SIGNAL',
): OwnedEntry => ({
  customerId,
  index,
  kind: kind as 'SIGNAL',
  id: `id-${index}`,
  v: 1,
  at: '2026-11-21T09:30:15.456Z',
  hash: index.toString(16).padStart(64, '0'),
  core,
  fingerprint: kind === 'SIGNAL' && core !== null ? 'a7'.repeat(32) : null,
});

async function published(entries: readonly OwnedEntry[]) {
  const log = memoryLog({ partitions: 12 });
  await publishFolded({ log, codec, epoch: 3 })(entries);
  const records = log.stored(SIGNALS.name).map(({ key, headers, value }) => ({
    key,
    headers,
    decoded: codec.decodeFoldedEntries(value),
  }));
  return { appends: log.appends.length, records };
}

test('a flush makes one append, with a record per customer and its entries in order', async () => {
  const entries = [entry('a', 4), entry('b', 0, null, 'KEY_EVENT'), entry('a', 5), entry('b', 1)];
  const { appends, records } = await published(entries);
  expect(appends).toBe(1);
  expect(records.map(({ key, headers }) => [key, headers])).toEqual([
    ['a', { first: '4', last: '5', others: '0', epoch: '3', schema: 'cas.v1.FoldedEntries' }],
    ['b', { first: '0', last: '1', others: '1', epoch: '3', schema: 'cas.v1.FoldedEntries' }],
  ]);
  const decoded = records.flatMap((record) =>
    record.decoded.entries.map((one) => ({ customerId: record.decoded.customerId, ...one })),
  );
  expect(JSON.parse(JSON.stringify(decoded))).toEqual([entries[0], entries[2], entries[1], entries[3]]);
});

test('appends nothing when nothing was folded', async () => {
  expect(await published([])).toEqual({ appends: 0, records: [] });
});

test('splits many long entries of a customer into several records without losing any', async () => {
  const core = JSON.stringify({ text: 'x'.repeat(100_000) });
  const entries = Array.from({ length: 9 }, (_, index) => entry('a', index, core));
  const { appends, records } = await published(entries);
  expect(appends).toBe(1);
  expect(records.map(({ headers }) => [headers.first, headers.last])).toEqual([
    ['0', '1'],
    ['2', '3'],
    ['4', '5'],
    ['6', '7'],
    ['8', '8'],
  ]);
});
