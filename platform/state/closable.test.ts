import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { closableState } from './closable.ts';
import { openEmbeddedState } from './lmdb/state.ts';
import type { State } from './port.ts';
import { KEY_HASH, reserveRequest, seedCustomer } from './testing/contract-seed.ts';

let folder: string;
let state: State;
let refusal: string | null;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'state-faults-'));
  refusal = null;
  const opened = await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now });
  state = closableState(opened, () => refusal);
  await seedCustomer(state);
});
afterEach(async () => {
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

test('refuses every call while there is a reason, and none of them has an effect', async () => {
  refusal = 'it is older than the ledger';
  for (const call of calls())
    await expect(call()).rejects.toMatchObject({
      name: 'StateUnavailable',
      message: expect.stringContaining(refusal),
    });
  refusal = null;
  expect(await state.documents.get({ scope: 'c1', collection: 'x', id: 'refused' })).toBeNull();
  for (const call of calls()) await call();
});
