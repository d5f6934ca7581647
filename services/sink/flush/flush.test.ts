import { expect, test } from '#jest';
import type { Assignment, StoredRecord } from '#platform/event-log/port.ts';
import { LEDGER } from '#schemas/topics.ts';
import { createMemoryStore } from '../testing/memory-store.ts';
import { customerIn, decodeLedgerEntry, draftOf, openDetail, storedRecord } from '../testing/sample-log.ts';
import { type FlushUnit, flush } from './flush.ts';

const assignmentOf = (partition: number): Assignment => ({
  topic: LEDGER.name,
  partition,
  start: 0,
  end: 10,
  committed: null,
});

/** A unit with one entry per offset, for the customers in `keysOf`. */
async function unitOf(
  partition: number,
  offsets: readonly number[],
  keysOf = partition,
): Promise<FlushUnit & { readonly kind: 'ledger' }> {
  const sources: StoredRecord[] = offsets.map((offset) => ({
    ...storedRecord(draftOf(customerIn(keysOf), 'KEY_EVENT', offset), offset),
    partition,
  }));
  const records = await Promise.all(
    sources.map(async ({ offset, key, headers, value }) => {
      const entry = decodeLedgerEntry(value);
      return { partition, offset, key, headers, entry, detail: await openDetail(entry) };
    }),
  );
  return {
    kind: 'ledger',
    topicPartition: `${LEDGER.name}/${partition}`,
    size: sources.length,
    isLagging: false,
    assignment: assignmentOf(partition),
    sources,
    records,
    cachedHeads: new Map(),
  };
}

async function flushed(units: readonly FlushUnit[]) {
  const store = createMemoryStore();
  const dependencies = {
    store,
    assertMayStore: async () => undefined,
    publish: async () => undefined,
    epoch: 1,
    now: Date.now,
    probe: () => undefined,
    metrics: {},
  };
  await flush(units, dependencies);
  return store.rows.ledger.length;
}

test('units of different partitions are stored together', async () => {
  expect(await flushed([await unitOf(0, [0, 1]), await unitOf(1, [0])])).toBe(3);
});

test('rejects two units of one partition, because both would be linked to the same head', async () => {
  await expect(flushed([await unitOf(0, [0]), await unitOf(0, [1])])).rejects.toThrow('two units for');
});

test.each([
  ['records in another order', [1, 0]],
  ['one record twice', [0, 0]],
])('rejects a unit with %s', async (_, offsets) => {
  await expect(flushed([await unitOf(0, offsets)])).rejects.toThrow('out of order');
});

test("rejects a unit without records, with another partition's records or under another name", async () => {
  const unit = await unitOf(0, [0]);
  const strange = { ...unit, sources: unit.sources.map((one) => ({ ...one, partition: 1 })) };
  await expect(flushed([strange])).rejects.toThrow('records of another partition');
  await expect(flushed([{ ...unit, sources: [], records: [] }])).rejects.toThrow('the unit is empty');
  await expect(flushed([{ ...unit, topicPartition: `${LEDGER.name}/1` }])).rejects.toThrow('not for');
});

test('rejects a customer with entries in two chunks', async () => {
  const [first, second] = [await unitOf(0, [0]), await unitOf(1, [0])];
  const store = createMemoryStore();
  const dependencies = {
    store,
    assertMayStore: async () => undefined,
    publish: async () => undefined,
    epoch: 1,
    now: Date.now,
    probe: () => undefined,
    metrics: {},
  };
  const twice = { ...second, records: first.records };
  await expect(flush([first, twice], dependencies)).rejects.toThrow('entries of the same customer');
  expect(store.rows.ledger).toEqual([]);
});
