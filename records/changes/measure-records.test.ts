import { v7 } from 'uuid';
import { afterEach, beforeEach, expect, test } from '#jest';
import { DELETED_SANDBOXES } from '../documents/sandbox-marks.ts';
import { SANDBOX_COUNTS, SANDBOX_VERSIONS } from '../documents/sandbox-record.ts';
import { type RecordsWorld, startRecordsWorld } from '../testing/records-world.ts';
import { usageOf } from './measure-records.ts';
import { RECORD_USAGE, type RecordUsage } from './record-usage.ts';

const LATER = '2026-11-02T10:00:00.000Z';

let world: RecordsWorld;
beforeEach(async () => {
  world = await startRecordsWorld();
});
afterEach(() => world.close());

/** Three active sandboxes with one more version each, `deleted` deleted ones, and two keys. */
async function populated(deleted: number): Promise<string[]> {
  const kept = [];
  for (const slug of ['a', 'b', 'c']) kept.push(await world.make(slug));
  for (let n = 0; n < deleted; n += 1) await world.remove(await world.make(`gone-${n}`));
  for (const id of kept) await world.change(id, 'changed', { at: LATER });
  await world.newKey();
  await world.newKey();
  return kept;
}
/** The state that an earlier release left. */
async function asBefore(): Promise<RecordUsage> {
  const { state, customerId } = world;
  const counted = (await world.usage())!;
  await state.documents.write(customerId, [
    { collection: RECORD_USAGE, id: customerId, value: null },
    ...(await state.documents.ids(customerId, DELETED_SANDBOXES)).map((id) => ({
      collection: DELETED_SANDBOXES,
      id,
      value: null,
    })),
  ]);
  return counted;
}

test('a list reads no records, deleted or not, and no versions', async () => {
  const kept = await populated(12);
  [world.read, world.listed] = [[], []];
  const { directory, customerId } = world;
  expect(await directory.sandboxIds(customerId)).toEqual(kept);
  expect(await directory.sandboxIds(customerId, true)).toHaveLength(15);
  expect(await directory.apiKeyIds(customerId)).toHaveLength(2);
  expect(world.listed).toEqual([]);
  // Each time, the counts by which a list checks whether its ids are still valid.
  expect(new Set(world.read.map(({ collection }) => collection))).toEqual(
    new Set([RECORD_USAGE, SANDBOX_COUNTS]),
  );
  expect(world.read).toHaveLength(4);
});

test('an installation of an earlier release is measured to the byte, on a list or a change', async () => {
  const kept = await populated(12);
  const counted = await asBefore();
  expect(counted).toMatchObject({ day: '2026-11-02', versions: 3, sandboxes: 15, apiKeys: 2 });
  expect(await world.directory.sandboxIds(world.customerId)).toEqual(kept);
  expect(await world.usage()).toEqual(counted);
  await asBefore();
  await world.newKey();
  expect(await world.usage()).toMatchObject({ ...counted, apiKeys: 3, bytes: expect.any(Number) });
  expect(world.listed).toEqual([]);
});

test('a measurement yields between sandboxes', async () => {
  await populated(0);
  await asBefore();
  let turns = 0;
  const count = (): void => {
    turns += 1;
    turning = setImmediate(count);
  };
  let turning = setImmediate(count);
  // The last write does not belong to the measurement.
  world.documents.write = async () => {
    clearImmediate(turning);
    throw new Error('measured');
  };
  await expect(usageOf(world.documents, world.customerId)).rejects.toThrow('measured');
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('a measurement killed at any call is repeated, and concurrent ones agree', async () => {
  const { directory, customerId } = world;
  const kept = await populated(4);
  for (const diesAfter of [false, true]) {
    const counted = await asBefore();
    world.diesAfter = diesAfter;
    await world.cutAnywhere(() => usageOf(world.documents, customerId));
    expect(await world.usage()).toEqual(counted);
  }
  const counted = await asBefore();
  const all = await Promise.all([
    ...Array.from({ length: 4 }, () => directory.sandboxIds(customerId)),
    world.change('a', 'again', { at: LATER }),
    world.change('b', 'again', { at: LATER }),
  ]);
  for (const ids of all.slice(0, 4)) expect(ids).toEqual(kept);
  expect(await world.usage()).toMatchObject({ versions: counted.versions + 2 });
});

test('a repeated change reads no version older than itself', async () => {
  const id = await world.make('a');
  for (let n = 0; n < 20; n += 1) await world.change(id, `name ${n}`);
  world.read = [];
  await world.change(id, 'taken over', { at: LATER, takenOver: true });
  expect(world.read.filter(({ collection }) => collection === SANDBOX_VERSIONS)).toHaveLength(1);
  const changeId = v7();
  await world.change(id, 'once', { at: LATER, changeId });
  await world.change(id, 'another', { at: LATER });
  const again = await world.change(id, 'once', { at: LATER, takenOver: true, changeId });
  expect(again).toMatchObject({ record: { name: 'once' } });
  expect(await world.directory.getSandbox(world.customerId, id)).toMatchObject({ version: 24 });
});
