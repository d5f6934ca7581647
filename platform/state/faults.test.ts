import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '#jest';
import { type FaultyState, withFaults } from './faults.ts';
import { openEmbeddedState } from './lmdb/state.ts';
import { KEY_HASH, reserveRequest, seedCustomer } from './testing/contract-seed.ts';

let folder: string;
let state: FaultyState;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'state-faults-'));
  state = withFaults(await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now }));
  await seedCustomer(state);
});
afterEach(async () => {
  jest.useRealTimers();
  await state.close();
  await rm(folder, { recursive: true });
});

const calls = () => [
  () => state.ping(),
  () => state.documents.list('c1', 'x'),
  () => state.documents.write('c1', [{ collection: 'x', id: 'refused', value: 1 }]),
  () => state.admission.authenticate(KEY_HASH),
  () => state.admission.reserve(reserveRequest(['a1'])),
  () => state.idempotency.forget('c1', { key: 'k', bodyDigest: 'd' }),
  () => state.expiring.get('x'),
  () => state.scrub(new AbortController().signal),
];

test('refuses every call until it accepts again, and nothing of them happened', async () => {
  state.refuse();
  for (const call of calls()) await expect(call()).rejects.toMatchObject({ name: 'StateUnavailable' });
  state.accept();
  expect(await state.documents.get({ scope: 'c1', collection: 'x', id: 'refused' })).toBeNull();
  for (const call of calls()) await call();
});

test('refuses for a time', async () => {
  jest.useFakeTimers();
  state.refuseFor(10_000);
  await jest.advanceTimersByTimeAsync(9_999);
  await expect(state.ping()).rejects.toMatchObject({ name: 'StateUnavailable' });
  await jest.advanceTimersByTimeAsync(1);
  await state.ping();
});
