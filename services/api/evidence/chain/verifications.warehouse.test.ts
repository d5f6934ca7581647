import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import { signalChain, storeChain } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

let world: StoredWorld;
let customer: Awaited<ReturnType<StoredWorld['harness']['customer']>>;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await world.real.clear();
  customer = await world.harness.customer();
});

const get = (path: string, headers = customer.headers) =>
  world.harness.call({ url: `/evidence/hash-chain/${path}`, headers });
const verify = async (query = '') => (await get(`verify${query}`)).body.data;
const store = async (size: number, from = 0): Promise<void> => {
  await storeChain(world, customer.id, signalChain(customer.id, size), from);
  await growTree(world.real.warehouse, customer.id, size);
};
const change = (statement: string): Promise<void> =>
  world.real.warehouse.command(`ALTER TABLE ${statement} SETTINGS mutations_sync = 2`);

describe('verification modes', () => {
  test('incremental covers new entries, and reports the share that was re-hashed', async () => {
    await store(1_500);
    const full = await verify();
    expect(full).toMatchObject({ mode: 'full', status: 'VALID', checkedEntries: 1_500, coverage: 1 });
    await store(2_000, 1_500);
    const next = await verify('?mode=incremental');
    expect(next).toMatchObject({ mode: 'incremental', status: 'VALID', treeSize: 2_000, verifiedTo: 1_999 });
    expect(next.checkedEntries).toBeLessThan(2_000);
    expect(next).toMatchObject({ coverage: 1, lastFullVerificationAt: full.lastFullVerificationAt });
    expect(next.rootHash).not.toBeNull();
  }, 60_000);

  test('a range is verified in whole blocks, and reports nothing about others', async () => {
    await store(1_500);
    await change("signals UPDATE model = 'changed' WHERE `index` = 700");
    expect(await verify('?mode=range&fromIndex=10&toIndex=20')).toMatchObject({
      mode: 'range',
      status: 'VALID',
      verifiedFrom: 0,
      verifiedTo: 255,
      checkedEntries: 256,
      treeSize: 1_500,
    });
    expect(await verify('?mode=range&fromIndex=600')).toMatchObject({
      status: 'INVALID',
      verifiedFrom: 512,
      verifiedTo: 1_499,
      brokenAt: { index: 700, reason: 'MODIFIED' },
    });
    // A known fault is checked again until it is fixed, however far back it is.
    expect(await verify('?mode=incremental')).toMatchObject({ brokenAt: { index: 700 } });
  }, 60_000);

  test('a block rewritten with correct hashes does not match its stored root', async () => {
    await store(1_500);
    const other = signalChain(customer.id, 1_500, 300);
    await change('signals DELETE WHERE `index` >= 300');
    await change('ledger DELETE WHERE `index` >= 300');
    await storeChain(world, customer.id, other, 300);
    const found = await verify('?mode=range&fromIndex=256&toIndex=511');
    expect(found).toMatchObject({ status: 'INVALID', brokenAt: { index: 256, reason: 'ROOT_MISMATCH' } });
  }, 60_000);

  test('full finds a changed stored root, and reports the ledger’s own root', async () => {
    await store(600);
    const { rootHash } = await verify();
    await change("subtrees UPDATE hash = repeat('0', 64) WHERE `index` = 1");
    expect(await verify()).toMatchObject({ rootHash, brokenAt: { index: 256, reason: 'ROOT_MISMATCH' } });
  }, 60_000);

  test('a verification is valid while trees are filled in after an upgrade', async () => {
    await storeChain(world, customer.id, signalChain(customer.id, 600));
    expect(await verify()).toMatchObject({ status: 'VALID', treeSize: 600 });
    await growTree(world.real.warehouse, customer.id, 512);
    expect(await verify('?mode=incremental')).toMatchObject({ status: 'VALID' });
  }, 60_000);

  test.each([
    ['?fromIndex=1', 'mode: fromIndex and toIndex require mode=range'],
    ['?mode=range&fromIndex=5&toIndex=4', 'toIndex: must not be below fromIndex'],
    ['?mode=range&fromIndex=7', 'fromIndex: the ledger has 3 entries; indexes start at 0'],
    ['?mode=all', 'mode'],
    ['?mode=range&fromIndex=-1', 'fromIndex'],
  ])('%s is refused with what to do', async (query, message) => {
    await store(3);
    const { status, body } = await get(`verify${query}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('a verification as a job', () => {
  test('is visible to every user of the customer', async () => {
    await store(300);
    const started = await get('verify?job=true');
    expect(started.status).toBe(202);
    const { id } = started.body.data;
    expect(started.body.data).toMatchObject({ mode: 'full', totalEntries: 300 });
    for (;;) {
      const { body } = await get(`verifications/${id}`);
      // The job needs the loop too.
      await new Promise(setImmediate);
      if (body.data.status === 'RUNNING') continue;
      expect(body.data).toMatchObject({ status: 'COMPLETED', progress: 1, result: { status: 'VALID' } });
      break;
    }
    const other = await world.harness.customer();
    const stranger = await get(`verifications/${id}`, other.headers);
    const unknown = await get('verifications/01993d5a-7c00-7000-8000-0000000000ff', other.headers);
    expect([stranger.status, unknown.status]).toEqual([404, 404]);
  }, 60_000);
});
