import { expect, test } from '#jest';
import { LogUnavailable } from '#platform/event-log/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { emptyWarehouse } from '../../testing/harness.ts';
import { memoryLog } from '../../testing/memory-log.ts';
import { createFreshness } from './freshness.ts';

/** A log in memory, tables with the contents of `store`, and a fixed clock. */
function scene() {
  const clock = { now: Date.parse('2026-11-22T10:00:00.000Z') };
  const log = memoryLog(() => clock.now);
  const stored = new Map<string, object>();
  let reads = 0;
  const warehouse: Warehouse = {
    ...emptyWarehouse(),
    query: async <Row>() => {
      reads += 1;
      return [...stored.values()] as Row[];
    },
  };
  const dependencies = { log, warehouse, now: () => clock.now };
  const append = async (topic: string, key: string) =>
    (await log.append([{ topic, key, value: Buffer.alloc(0), headers: {} }]))[0]!;
  const store = (topic: string, { partition, offset }: { partition: number; offset: number }): void => {
    const position = {
      topic,
      epoch: 1,
      partition,
      nextOffset: offset + 1,
      lastAt: '2026-11-22T09:00:00.000Z',
    };
    stored.set(`${topic}/${partition}`, position);
  };
  return {
    clock,
    log,
    dependencies,
    append,
    store,
    reads: () => reads,
    freshness: createFreshness(dependencies),
  };
}

const COMPLETE = { lagSeconds: 0, complete: true };

test('without any records nothing is missing', async () => {
  expect(await scene().freshness()).toEqual(COMPLETE);
});

test('the lag is the age of the oldest unstored record of any topic', async () => {
  const { clock, append, store, freshness } = scene();
  store(TRIPLETS.name, await append(TRIPLETS.name, 'a'));
  const first = await append(LEDGER.name, 'c');
  clock.now += 400;
  const second = await append(LEDGER.name, 'c');
  clock.now += 1_100;
  expect(await freshness()).toEqual({ lagSeconds: 1.5, complete: false });
  store(LEDGER.name, first);
  clock.now += 1_000;
  expect(await freshness()).toEqual({ lagSeconds: 2.1, complete: false });
  store(LEDGER.name, second);
  clock.now += 1_000;
  expect(await freshness()).toEqual(COMPLETE);
});

test('the tables are read once a second for all callers', async () => {
  const { clock, append, freshness, reads } = scene();
  await append(TRIPLETS.name, 'a');
  await Promise.all([freshness(), freshness(), freshness()]);
  await freshness();
  clock.now += 999;
  await freshness();
  expect(reads()).toBe(1);
  clock.now += 1;
  await freshness();
  expect(reads()).toBe(2);
});

test('records accepted within that second count as missing at once', async () => {
  const { clock, append, store, freshness } = scene();
  expect(await freshness()).toEqual(COMPLETE);
  const record = await append(TRIPLETS.name, 'a');
  clock.now += 10;
  expect(await freshness()).toEqual({ lagSeconds: 0.01, complete: false });
  store(TRIPLETS.name, record);
  clock.now += 1_000;
  expect(await freshness()).toEqual(COMPLETE);
});

test('a read in progress does not serve later callers', async () => {
  const { dependencies, append } = scene();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const warehouse = {
    ...dependencies.warehouse,
    query: async <Row>() => {
      await held;
      return [] as Row[];
    },
  };
  const freshness = createFreshness({ ...dependencies, warehouse });
  const before = freshness();
  await new Promise((resolve) => setImmediate(resolve));
  await append(TRIPLETS.name, 'a');
  const after = freshness();
  release();
  expect([(await before).complete, (await after).complete]).toEqual([true, false]);
});

test('the last stored record gives the lag if an offset holds no record', async () => {
  const { clock, log, append, store, freshness } = scene();
  store(TRIPLETS.name, await append(TRIPLETS.name, 'a'));
  await append(TRIPLETS.name, 'a');
  log.read = async () => null;
  clock.now += 500;
  expect(await freshness()).toEqual({ lagSeconds: 3_600.5, complete: false });
});

test.each([
  ['cannot be reached', () => Promise.reject(new LogUnavailable('it is down'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('freshness is unknown with a log that %s', async (_name, bounds) => {
  const { dependencies } = scene();
  const freshness = createFreshness({ ...dependencies, log: { ...dependencies.log, bounds } });
  expect(await freshness()).toEqual({ lagSeconds: null, complete: false });
});
