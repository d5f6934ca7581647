import { v7 } from 'uuid';
import { createFold } from '#core/correlate/fold/fold.ts';
import { type StoredPattern, withoutErased } from '#core/correlate/fold/stored-pattern.ts';
import type { CorrelatedEntry } from '#core/correlate/state/entries.ts';
import { DAY_MS, DEFAULT_SETTINGS, HOUR_MS } from '#core/correlate/state/rules.ts';
import { BEGIN_MS, draftAt, entriesOf } from '#core/correlate/testing/ledger.ts';
import { FINGERPRINTS } from '#core/similarity/compare.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { snapshotsOf } from '#platform/warehouse/queries/evidence/correlation-snapshots.ts';
import { foldFrom } from './first-contact.ts';
import {
  foldedEntries,
  Killed,
  newestOf,
  type PatternsWorld,
  startPatternsWorld,
} from './testing/patterns-world.ts';

let world: PatternsWorld;
let customerId: string;
beforeAll(async () => {
  world = await startPatternsWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  customerId = v7();
  world.published();
});

/** A fortnight of one SSN a day, at noon, and then a burst of them. */
const HISTORY = Array.from({ length: 14 }, (_, day) =>
  draftAt(BEGIN_MS + day * DAY_MS + 12 * HOUR_MS, { violations: ['SSN'] }),
);
const NOW = BEGIN_MS + 14 * DAY_MS + 6 * HOUR_MS;
const BURST = Array.from({ length: 30 }, (_, index) => draftAt(NOW + index * 1_000, { violations: ['SSN'] }));
const LATER = draftAt(NOW + 40 * DAY_MS);
const LEDGER: readonly CorrelatedEntry[] = entriesOf([...HISTORY, ...BURST, LATER]);
const [HISTORY_END, BURST_END] = [HISTORY.length, HISTORY.length + BURST.length];

const folded = (entries: readonly CorrelatedEntry[] = LEDGER) => foldedEntries(customerId, entries);
const batchOf = (from: number, end: number, epoch = 1, entries = LEDGER) =>
  world.batch([world.record(customerId, folded(entries).slice(from, end), epoch)]);
const read = (given: readonly CorrelatedEntry[]) => {
  const fold = createFold({ customerId, similarity: FINGERPRINTS });
  const last = new Map(fold.fold(given).map(({ finding }) => [finding.id, finding]));
  return [...last.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
};
const savedOf = async (id = customerId) => (await snapshotsOf(world.warehouse, [id]))[0];

describe('entries that the log no longer holds', () => {
  test('come from the warehouse, and the findings are the same', async () => {
    await world.store(customerId, LEDGER);
    const patterns = world.patterns();
    await patterns.process(batchOf(0, 5));
    await patterns.process(batchOf(BURST_END - 2, LEDGER.length));
    expect(newestOf(world.published())).toEqual(read(LEDGER));
    expect(read(LEDGER)).toMatchObject([{ type: 'BURST', status: 'CLOSED', count: 30 }]);
  });

  test('include erasures and settings in between, as the tables have them', async () => {
    const settings = { ...DEFAULT_SETTINGS, minSignals: 5 };
    const entries: CorrelatedEntry[] = [
      ...entriesOf([...HISTORY, ...BURST]),
      { kind: 'SETTINGS', index: BURST_END, settings },
      { kind: 'OTHER', index: BURST_END + 1 },
      {
        kind: 'ERASURE',
        index: BURST_END + 2,
        ranges: [[HISTORY_END, HISTORY_END + 1]],
        scope: 'ALL',
        closing: false,
      },
      ...entriesOf([LATER], BURST_END + 3),
    ];
    await world.store(customerId, entries);
    const patterns = world.patterns();
    await patterns.process(batchOf(0, BURST_END, 1, entries));
    await patterns.process(batchOf(BURST_END + 3, entries.length, 1, entries));
    await patterns.beforeCommits([0]);
    expect(newestOf(world.published())).toEqual(read(entries));
    expect(JSON.parse((await savedOf())!.snapshot)).toMatchObject({ settings });
  });
});

describe('a first contact in the middle of a ledger', () => {
  test('knows the hours before it, so that a burst is recognised', async () => {
    await world.store(customerId, LEDGER.slice(0, HISTORY_END));
    await world.patterns().process(batchOf(HISTORY_END, LEDGER.length));
    expect(newestOf(world.published())).toMatchObject([{ type: 'BURST', status: 'CLOSED', count: 30 }]);
  });

  test('has nothing to compare with when there are none', async () => {
    await world.patterns().process(batchOf(HISTORY_END, LEDGER.length));
    expect(world.published()).toEqual([]);
  });

  test('knows the current settings', async () => {
    const entries: CorrelatedEntry[] = [
      { kind: 'SETTINGS', index: 0, settings: { ...DEFAULT_SETTINGS, minSignals: 9 } },
      { kind: 'SETTINGS', index: 1, settings: { ...DEFAULT_SETTINGS, minSignals: 7 } },
      ...entriesOf([LATER], 2),
    ];
    await world.store(customerId, entries);
    const patterns = world.patterns();
    await patterns.process(batchOf(2, 3, 1, entries));
    await patterns.beforeCommits([0]);
    expect(JSON.parse((await savedOf())!.snapshot)).toMatchObject({ next: 3, settings: { minSignals: 7 } });
  });
});

describe('a log of another epoch', () => {
  test('continues where it was with the same ledger', async () => {
    await world.store(customerId, LEDGER);
    const patterns = world.patterns();
    await patterns.process(batchOf(0, HISTORY_END + 3));
    await patterns.process(batchOf(HISTORY_END + 3, LEDGER.length, 2));
    await patterns.beforeCommits([0]);
    expect(newestOf(world.published())).toEqual(read(LEDGER));
    expect(await savedOf()).toMatchObject({ epoch: 2, next: LEDGER.length });
  });

  test('starts again with another ledger, and ignores the saved fold', async () => {
    const patterns = world.patterns();
    await patterns.process(batchOf(0, LEDGER.length));
    await patterns.beforeCommits([0]);
    // Restored from a backup: fewer and different entries.
    const other = entriesOf([draftAt(NOW), draftAt(NOW + 1)]);
    await world.store(customerId, other);
    const restarted = world.patterns();
    await restarted.process(batchOf(0, other.length, 2, other));
    await restarted.beforeCommits([0]);
    expect(await savedOf()).toMatchObject({ epoch: 2, next: other.length });
  });
});

describe('a finding', () => {
  test('is in the log before a snapshot that includes it, and is sent again after an outage of the log', async () => {
    let isDown = true;
    const appended: string[] = [];
    const patterns = world.patterns({
      log: {
        append: async (records) => {
          if (isDown) throw new Error('down');
          appended.push(...records.map(({ key }) => key));
          return [];
        },
      },
    });
    await expect(patterns.process(batchOf(0, LEDGER.length))).rejects.toThrow('down');
    await expect(patterns.beforeCommits([0])).rejects.toThrow('down');
    expect(await savedOf()).toBeUndefined();
    isDown = false;
    // The batch comes again, and folds nothing new.
    await patterns.process(batchOf(0, LEDGER.length));
    expect(appended.length).toBeGreaterThan(1);
    await patterns.beforeCommits([0]);
    expect(await savedOf()).toMatchObject({ next: LEDGER.length });
  });

  test('is saved in the next round when its snapshot could not be stored', async () => {
    let isDown = true;
    const { warehouse } = world;
    const insert: typeof warehouse.insert = async (...given) => {
      if (isDown) throw new Error('down');
      await warehouse.insert(...given);
    };
    const patterns = world.patterns({
      warehouse: { ...warehouse, query: warehouse.query, stream: warehouse.stream, insert },
    });
    await patterns.process(batchOf(0, LEDGER.length));
    await expect(patterns.beforeCommits([0])).rejects.toThrow('down');
    isDown = false;
    await patterns.beforeCommits([0]);
    expect(await savedOf()).toMatchObject({ next: LEDGER.length });
  });

  test('is published again, unchanged, after the process was killed following the append', async () => {
    const dying = world.patterns({}, 2);
    await expect(dying.process(batchOf(0, LEDGER.length))).rejects.toThrow(Killed);
    const first = world.published();
    await world.patterns().process(batchOf(0, LEDGER.length));
    expect(first.length).toBeGreaterThan(0);
    expect(newestOf(world.published())).toEqual(newestOf(first));
  });
});

test('a finding that lost signals keeps its first sentence, so that a later loss is reported once', async () => {
  const erasure: CorrelatedEntry = {
    kind: 'ERASURE',
    index: BURST_END,
    ranges: [[HISTORY_END, HISTORY_END + 6]],
    scope: 'ALL',
    closing: false,
  };
  const entries = [...LEDGER.slice(0, BURST_END), erasure];
  await world.patterns().process(batchOf(0, entries.length, 1, entries));
  const last = world.published().at(-1)!;
  const pattern = JSON.parse(last.pattern) as StoredPattern;
  expect(pattern.finding.description).toMatch(/weekday\. 7 of them were erased since\.$/);
  const less = withoutErased(pattern, (index) => index === HISTORY_END + 7, 3)!;
  expect(less.finding.description).toMatch(/weekday\. 8 of them were erased since\.$/);
});

test('saves nothing for a closed customer', async () => {
  const entries: CorrelatedEntry[] = [
    ...LEDGER,
    { kind: 'ERASURE', index: LEDGER.length, ranges: [], scope: 'ALL', closing: true },
  ];
  const patterns = world.patterns();
  await patterns.process(batchOf(0, entries.length, 1, entries));
  await patterns.beforeCommits([0]);
  expect(await savedOf()).toBeUndefined();
});

test("another assignment reads the last owner's snapshots", async () => {
  const [one, other] = [world.patterns(), world.patterns()];
  await one.process(batchOf(0, 20));
  await one.beforeCommits([0]);
  await other.process(batchOf(20, BURST_END));
  await other.beforeCommits([0]);
  one.onAssigned(0);
  await one.process(batchOf(BURST_END, LEDGER.length));
  expect(newestOf(world.published())).toEqual(read(LEDGER));
});

test('an owner that woke up late does not overwrite a later snapshot', async () => {
  const [late, next] = [world.patterns(), world.patterns()];
  await late.process(batchOf(0, 20));
  await next.process(batchOf(0, LEDGER.length));
  await next.beforeCommits([0]);
  await late.beforeCommits([0]);
  expect(await savedOf()).toMatchObject({ next: LEDGER.length });
});

test('a customer with a batch in progress is not released by a batch of another partition', async () => {
  const other = v7();
  let reached: () => void = () => undefined;
  let resume: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const { decodeFoldedEntries } = bundledCodec();
  let records = 0;
  const patterns = world.patterns({
    maxBytes: 0,
    decodeFoldedEntries: async (value) => {
      const published = decodeFoldedEntries(value);
      records += published.customerId === customerId ? 1 : 0;
      if (records === 2 && published.customerId === customerId) {
        reached();
        await gate;
      }
      return published;
    },
  });
  const own = folded();
  const parts = [own.slice(0, 20), own.slice(20)].map((entries) => world.record(customerId, entries));
  const first = patterns.process(world.batch(parts));
  // It has folded its first record, and is blocked on its second.
  await held;
  const theirs = world.record(other, foldedEntries(other, LEDGER.slice(0, 5)));
  await patterns.process({ ...world.batch([theirs]), partition: 1 });
  resume();
  await first;
  await patterns.beforeCommits([0, 1]);
  expect(newestOf(world.published())).toEqual(read(LEDGER));
  expect(await savedOf()).toMatchObject({ next: LEDGER.length });
});

test('a commit waits for a snapshot that another partition is storing to make room', async () => {
  const other = v7();
  let isStored = false;
  let reached: () => void = () => undefined;
  let resume: () => void = () => undefined;
  const inProgress = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const { warehouse } = world;
  const insert: typeof warehouse.insert = async (...given) => {
    reached();
    await gate;
    await warehouse.insert(...given);
    isStored = true;
  };
  const { query, stream } = warehouse;
  const patterns = world.patterns({ maxBytes: 0, warehouse: { ...warehouse, query, stream, insert } });
  await patterns.process(batchOf(0, 20));
  const theirs = world.record(other, foldedEntries(other, LEDGER.slice(0, 5)));
  const making = patterns.process({ ...world.batch([theirs]), partition: 1 });
  await inProgress;
  const committing = patterns.beforeCommits([0]).then(() => isStored);
  resume();
  expect(await committing).toBe(true);
  await making;
  expect(await savedOf()).toMatchObject({ next: 20 });
});

test('a customer with too many groups in its past hours starts without a past', async () => {
  await world.store(customerId, LEDGER.slice(0, HISTORY_END));
  const entry = { first: HISTORY_END, at: NOW };
  const burst = LEDGER.slice(HISTORY_END);
  const known = await foldFrom(world.warehouse, customerId, entry, HISTORY.length);
  expect(known.fold(burst).length).toBeGreaterThan(0);
  const unknown = await foldFrom(world.warehouse, customerId, entry, HISTORY.length - 1);
  expect([unknown.next, unknown.fold(burst)]).toEqual([HISTORY_END, []]);
});

test('customers beyond the memory limit are saved and released, least recently used first', async () => {
  const ids = Array.from({ length: 6 }, () => v7());
  const patterns = world.patterns({ maxBytes: 3 * 64 * 1024 });
  for (const id of ids) {
    const entries = foldedEntries(id, LEDGER.slice(0, 20));
    await patterns.process(world.batch([world.record(id, entries)]));
  }
  const saved = (await snapshotsOf(world.warehouse, ids)).map((row) => row.customerId);
  // Never the one in use.
  expect(saved).not.toContain(ids.at(-1));
  expect(saved).toContain(ids[0]);
  for (const id of ids) {
    customerId = id;
    await patterns.process(world.batch([world.record(id, folded().slice(20))]));
  }
  const published = world.published();
  for (const id of ids) {
    customerId = id;
    expect(newestOf(published.filter((one) => one.customerId === id))).toEqual(read(LEDGER));
  }
});
