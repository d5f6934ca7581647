import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import type { State } from '../port.ts';
import { idempotencyKey, NOON } from '../testing/contract-seed.ts';
import { openEmbeddedState } from './state.ts';

let folder: string;
let state: State;
let at = NOON;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'state-scrub-'));
  state = await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: () => at });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const isOnDisk = async (text: string): Promise<boolean> => {
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name))));
  return files.some((bytes) => bytes.includes(text));
};

test('a scrub removes deleted, replaced and expired values from the disk', async () => {
  const write = (id: string, value: unknown) =>
    state.documents.write('c1', [{ collection: 'keks', id, value }]);
  for (let n = 0; n < 300; n += 1) await write(`kept-${n}`, `KEPT-${n} ${'x'.repeat(500)}`);
  await state.idempotency.settle('c1', idempotencyKey('k'), { statusCode: 201, body: 'SECRET answer' });
  await state.expiring.set('small', 'SECRET value', 60_000);
  await write('deleted', 'SECRET document');
  await write('replaced', 'SECRET key');
  await write('replaced', { status: 'destroyed' });
  await write('deleted', null);
  at += 25 * 3_600_000;
  expect(await isOnDisk('SECRET')).toBe(true);
  expect(await state.scrub(new AbortController().signal)).toBe(true);
  expect(await isOnDisk('SECRET')).toBe(false);
  expect(await isOnDisk('KEPT-299')).toBe(true);
  expect((await state.documents.list('c1', 'keks')).length).toBe(301);
});
