import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { openEmbeddedState } from '../state/embedded.ts';
import type { DocumentRef, Documents, State } from '../state/port.ts';
import { type Directory, openDirectory } from './directory.ts';
import { usageOf } from './measure-records.ts';
import { RECORD_USAGE, type RecordUsage } from './record-usage.ts';
import { SANDBOX_VERSIONS, SANDBOXES } from './records.ts';
import { DELETED_SANDBOXES } from './sandbox-marks.ts';

const budget = { versionsPerDay: 1_000, sandboxesEver: 1_000, apiKeysEver: 1_000, storedBytes: 2 ** 30 };
const AT = '2026-11-01T10:00:00.000Z';
const LATER = '2026-11-02T10:00:00.000Z';

let folder: string;
let state: State;
let directory: Directory;
let customerId: string;
/** Documents that were read one by one, and collections that were read whole. */
let read: DocumentRef[];
let listed: string[];
/** Calls of the state until it fails; null: it does not. */
let callsLeft: number | null;

function watched(documents: Documents): Documents {
  const count = (): void => {
    if (callsLeft === null) return;
    callsLeft -= 1;
    if (callsLeft < 0) throw new Error('killed here');
  };
  return {
    ...documents,
    get: async (ref) => {
      count();
      read.push(ref);
      return documents.get(ref);
    },
    list: async (scope, collection) => {
      count();
      listed.push(collection);
      return documents.list(scope, collection);
    },
    ids: async (...args) => {
      count();
      return documents.ids(...args);
    },
    write: async (...args) => {
      count();
      return documents.write(...args);
    },
  };
}

let documents: Documents;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'measure-'));
  state = await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now });
  [read, listed, callsLeft] = [[], [], null];
  documents = watched(state.documents);
  directory = openDirectory({
    documents,
    admission: state.admission,
    makeEntry: async ({ kind, id }) => ({
      entryId: `${kind}:${id}`,
      topic: 'ledger',
      key: customerId,
      valueBase64: '',
      headers: {},
    }),
    announce: () => undefined,
    randomBytes,
  });
  customerId = v7();
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

async function make(slug: string): Promise<string> {
  const id = v7();
  const made = await directory.createSandbox({
    customerId,
    id,
    slug,
    name: slug,
    sandboxType: 'CUSTOM',
    regulations: [],
    alertThreshold: 'HIGH',
    guardianAction: 'ALLOW_ALL',
    customRules: ['a rule'],
    region: 'EU',
    active: true,
    redactionStrategy: 'FULL',
    quota: null,
    budget,
    createdAt: AT,
  });
  if (!made.ok) throw new Error(made.reason);
  return id;
}
const change = (idOrSlug: string, name: string, at = AT, takenOver = false, changeId: string = v7()) =>
  directory.changeSandbox({
    customerId,
    idOrSlug,
    at,
    changeId,
    takenOver,
    budget,
    settings: (record) => ({ ...record, name }),
  });
const remove = (idOrSlug: string) =>
  directory.deleteSandbox({ customerId, idOrSlug, at: AT, changeId: v7(), takenOver: false });
const newKey = () => directory.createApiKey({ customerId, id: v7(), name: 'ci', budget, createdAt: AT });

/** Three sandboxes that are there, with a version more each, `deleted` that were deleted, and two keys. */
async function populated(deleted: number): Promise<string[]> {
  const kept = [];
  for (const slug of ['a', 'b', 'c']) kept.push(await make(slug));
  for (let n = 0; n < deleted; n += 1) await remove(await make(`gone-${n}`));
  for (const id of kept) await change(id, 'changed', LATER);
  await newKey();
  await newKey();
  return kept;
}
const usage = async () =>
  (await state.documents.get<RecordUsage>({ scope: customerId, collection: RECORD_USAGE, id: customerId }))
    ?.value;
/** As a release of before has left it. */
async function asBefore(): Promise<RecordUsage> {
  const counted = (await usage())!;
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

test('a list reads no record, deleted or not, and none of the versions', async () => {
  const kept = await populated(12);
  [read, listed] = [[], []];
  expect(await directory.sandboxIds(customerId)).toEqual(kept);
  expect(await directory.sandboxIds(customerId, true)).toHaveLength(15);
  expect(await directory.apiKeyIds(customerId)).toHaveLength(2);
  expect(listed).toEqual([]);
  expect(read.map(({ collection }) => collection)).toEqual([RECORD_USAGE]);
});

test('an installation of before is measured to the byte, at a list as at a change', async () => {
  const kept = await populated(12);
  const counted = await asBefore();
  expect(counted).toMatchObject({ day: '2026-11-02', versions: 3, sandboxes: 15, apiKeys: 2 });
  expect(await directory.sandboxIds(customerId)).toEqual(kept);
  expect(await usage()).toEqual(counted);
  await asBefore();
  await newKey();
  expect(await usage()).toMatchObject({ ...counted, apiKeys: 3, bytes: expect.any(Number) });
  expect(listed).toEqual([]);
});

test('a measurement that is cut off anywhere is made again, and many at the same time agree', async () => {
  const kept = await populated(4);
  const counted = await asBefore();
  for (let calls = 0; (await usage()) === undefined; calls += 1) {
    callsLeft = calls;
    await usageOf(documents, customerId).catch(({ message }: Error) => expect(message).toBe('killed here'));
  }
  callsLeft = null;
  expect(await usage()).toEqual(counted);
  await asBefore();
  const all = await Promise.all([
    ...Array.from({ length: 4 }, () => directory.sandboxIds(customerId)),
    change('a', 'again', LATER),
    change('b', 'again', LATER),
  ]);
  for (const ids of all.slice(0, 4)) expect(ids).toEqual(kept);
  expect(await usage()).toMatchObject({ versions: counted.versions + 2 });
});

test('a change that is taken over looks at no version that is older than itself', async () => {
  const id = await make('a');
  for (let n = 0; n < 20; n += 1) await change(id, `name ${n}`);
  read = [];
  await change(id, 'taken over', LATER, true);
  expect(read.filter(({ collection }) => collection === SANDBOX_VERSIONS)).toHaveLength(1);
  const changeId = v7();
  await change(id, 'once', LATER, false, changeId);
  await change(id, 'another', LATER);
  expect(await change(id, 'once', LATER, true, changeId)).toMatchObject({ record: { name: 'once' } });
  expect(
    (await state.documents.get<{ version: number }>({ scope: customerId, collection: SANDBOXES, id }))?.value
      .version,
  ).toBe(24);
});
