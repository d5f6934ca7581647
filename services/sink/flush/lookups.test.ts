import { expect, test } from '#jest';
import { LEDGER } from '#schemas/topics.ts';
import type { Head } from '../fold/rows.ts';
import { createMemoryStore } from '../testing/memory-store.ts';
import { customerIn, decodeLedgerEntry, draftOf, openDetail, storedRecord } from '../testing/sample-log.ts';
import { type FlushUnit, flush } from './flush.ts';
import type { SinkStore } from './store.ts';

const numberOf = (entryId: string): number => Number.parseInt(entryId.slice(-12), 16);

/** Successive chunks of one partition under one assignment; records what each asks the store. */
function assigned(store: SinkStore) {
  let heads: ReadonlyMap<string, Head> = new Map();
  const asked: number[][] = [];
  const noting: SinkStore = {
    ...store,
    ids: (wanted) => {
      asked.push(wanted.map(({ entryId }) => numberOf(entryId)));
      return store.ids(wanted);
    },
  };
  const fold = async (from: number, signals: readonly number[]): Promise<void> => {
    const sources = signals.map((n, i) => storedRecord(draftOf(customerIn(4), 'SIGNAL', n), from + i));
    const records = await Promise.all(
      sources.map(async ({ partition, offset, key, headers, value }) => {
        const entry = decodeLedgerEntry(value);
        return { partition, offset, key, headers, entry, detail: await openDetail(entry) };
      }),
    );
    const { partition } = sources[0]!;
    const unit: FlushUnit = {
      kind: 'ledger',
      topicPartition: `${LEDGER.name}/${partition}`,
      size: sources.length,
      isLagging: false,
      assignment: { topic: LEDGER.name, partition, start: 0, end: 99, committed: null },
      sources,
      records,
      cachedHeads: heads,
    };
    const dependencies = {
      store: noting,
      assertMayStore: async () => undefined,
      publish: async () => undefined,
      epoch: 1,
      now: () => 0,
      probe: () => undefined,
      metrics: {},
    };
    heads = (await flush([unit], dependencies))[0]!.heads;
  };
  return { asked, fold };
}

test('looks up older signals, but not new ones and repeats of the last chunk', async () => {
  const store = createMemoryStore();
  const { asked, fold } = assigned(store);
  await fold(0, [11, 12]);
  expect(asked.splice(0).flat()).toEqual([11, 12]);
  await fold(2, [14, 12, 15]);
  expect(asked.splice(0).flat()).toEqual([]);
  await fold(5, [13, 11, 16, 15]);
  expect(asked.splice(0).flat()).toEqual([11]);
  const ids = store.rows.ledger_ids.map(({ entryId, index }) => [numberOf(entryId), index]);
  expect(ids).toEqual([
    [11, 0],
    [12, 1],
    [14, 2],
    [15, 3],
    [13, 4],
    [16, 5],
  ]);
});

test('signals stored by an earlier owner are known from the greatest id', async () => {
  const store = createMemoryStore();
  const [earlier, later] = [assigned(store), assigned(store)];
  await earlier.fold(0, [11, 14]);
  await later.fold(2, [15]);
  await later.fold(3, [12, 16, 14]);
  expect(later.asked.flat()).toEqual([15, 12, 14]);
  expect(store.rows.ledger_ids.map(({ entryId }) => numberOf(entryId))).toEqual([11, 14, 15, 12, 16]);
});
