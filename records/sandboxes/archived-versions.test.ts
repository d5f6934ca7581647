import { afterEach, beforeEach, expect, test } from '#jest';
import { usageOf } from '../changes/measure-records.ts';
import { RECORD_USAGE } from '../changes/record-usage.ts';
import { DELETED_SANDBOXES } from '../documents/sandbox-marks.ts';
import { SANDBOX_VERSIONS } from '../documents/sandbox-record.ts';
import { type RecordsWorld, startRecordsWorld } from '../testing/records-world.ts';
import { archiveVersions } from './archived-versions.ts';

/** Noon of a day in November. */
const day = (n: number): string => `2026-11-${String(n).padStart(2, '0')}T12:00:00.000Z`;

let world: RecordsWorld;
let id: string;
/** Versions whose entries are missing in the warehouse. */
let unfolded: number[];
beforeEach(async () => {
  world = await startRecordsWorld();
  unfolded = [];
});
afterEach(() => world.close());

const folded = async (_owner: string, ids: readonly string[]) =>
  new Set(ids.filter((one) => !unfolded.includes(Number(one.split(':').at(-1)))));
const archive = (replacedBefore: string) =>
  archiveVersions({ documents: world.documents, folded, replacedBefore }, world.customerId, id);
/** Makes a sandbox up to this version; version n is made on day n. */
async function madeUpTo(version: number): Promise<void> {
  id = await world.make('support', day(1));
  for (let n = 2; n <= version; n += 1) await world.change(id, `name ${n}`, { at: day(n) });
}
const kept = async () =>
  (await world.state.documents.ids(world.customerId, SANDBOX_VERSIONS))
    .map((one) => Number(one.split(':').at(-1)))
    .sort((a, b) => a - b);
/** The counts equal a new measurement. */
async function expectCounted(): Promise<void> {
  const { state, customerId } = world;
  const counted = await world.usage();
  await state.documents.write(customerId, [{ collection: RECORD_USAGE, id: customerId, value: null }]);
  const { bytes, sandboxes } = (await usageOf(state.documents, customerId)).value;
  expect({ bytes, sandboxes }).toEqual({ bytes: counted?.bytes, sandboxes: counted?.sandboxes });
}

test('versions replaced long enough ago are archived and their bytes released; the current one and later ones stay', async () => {
  await madeUpTo(6);
  const before = (await world.usage())!.bytes;
  // Version 3 was replaced by version 4, on the 4th.
  expect(await archive(day(4))).toBe(3);
  expect(await kept()).toEqual([4, 5, 6]);
  expect((await world.usage())!.bytes).toBeLessThan(before);
  await expectCounted();
  expect(await archive(day(4))).toBe(0);
  expect(await archive(day(28))).toBe(2);
  expect(await kept()).toEqual([6]);
  expect(await world.directory.getSandbox(world.customerId, id)).toMatchObject({ version: 6 });
  await world.change(id, 'further', { at: day(29) });
  expect(await kept()).toEqual([6, 7]);
  await expectCounted();
});

test('a version that is not folded stays, with all later ones, until it is', async () => {
  await madeUpTo(6);
  unfolded = [3];
  expect(await archive(day(28))).toBe(2);
  expect(await kept()).toEqual([3, 4, 5, 6]);
  unfolded = [];
  expect(await archive(day(28))).toBe(3);
  expect(await kept()).toEqual([6]);
});

test('versions beyond one step are archived step by step, and later checks read only a few records', async () => {
  id = await world.make('support', day(1));
  for (let n = 2; n <= 130; n += 1) await world.change(id, `name ${n}`, { at: day(1) });
  expect(await archive(day(2))).toBe(129);
  expect(await kept()).toEqual([130]);
  world.read = [];
  expect(await archive(day(2))).toBe(0);
  expect(world.read.length).toBeLessThan(5);
});

test('the last version of a deleted sandbox is archived, too; record and slug stay, and a missing mark is added', async () => {
  await madeUpTo(3);
  await world.remove(id, day(10));
  await world.state.documents.write(world.customerId, [{ collection: DELETED_SANDBOXES, id, value: null }]);
  expect(await archive(day(9))).toBe(2);
  expect(await kept()).toEqual([3, 4]);
  expect(await world.directory.sandboxIds(world.customerId)).toEqual([]);
  expect(await archive(day(10))).toBe(2);
  expect(await kept()).toEqual([]);
  expect(await world.directory.getSandbox(world.customerId, 'support', true)).toMatchObject({ version: 4 });
  expect(await archive(day(28))).toBe(0);
  await expectCounted();
});

test('archiving killed at any call continues and releases no bytes twice, even during changes', async () => {
  for (const diesAfter of [false, true]) {
    world.diesAfter = diesAfter;
    id = await world.make(`support-${diesAfter}`, day(1));
    for (let n = 2; n <= 6; n += 1) await world.change(id, `name ${n}`, { at: day(n) });
    expect(await world.cutAnywhere(() => archive(day(28)))).toBeGreaterThan(5);
    expect((await kept()).length).toBe(diesAfter ? 2 : 1);
    await expectCounted();
  }
  for (let n = 7; n <= 12; n += 1) await world.change(id, `name ${n}`, { at: day(n) });
  const changes = [13, 14, 15].map((n) => world.change(id, `name ${n}`, { at: day(n) }));
  const done = await Promise.all([archive(day(12)), archive(day(12)), archive(day(12)), ...changes]);
  expect(done.slice(0, 3).reduce<number>((sum, one) => sum + (one as number), 0)).toBe(6);
  await expectCounted();
});
