import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import { signalChain, storeChain } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';
import { passesInThread } from './passes-in-thread.ts';

const NEVER = { gone: new AbortController().signal };
let world: StoredWorld;
let passes: ReturnType<typeof passesInThread>;
beforeAll(async () => {
  const compiled = compiledModule('services/api/evidence/chain/pass-thread.ts');
  if (!existsSync(compiled)) throw new Error('npm run build:test comes first');
  world = await startStoredWorld();
  passes = passesInThread({ warehouse: world.real.address, log: world.harness.log });
}, 60_000);
afterAll(async () => {
  await passes.close();
  await world.close();
});

describe('a verifying thread', () => {
  test('finds the same as the event loop, and reports its progress', async () => {
    const { id: customerId } = await world.harness.customer();
    const rows = signalChain(customerId, 3_000);
    await storeChain(world, customerId, rows);
    const seen: number[] = [];
    const found = await passes.run(
      { customerId, from: 0, to: null },
      { ...NEVER, onProgress: (checked) => void seen.push(checked) },
    );
    expect(found).toMatchObject({ status: 'VALID', treeSize: 3_000, chainHead: rows.ledger.at(-1)!.hash });
    expect(seen).toEqual([2_048, 3_000]);
  }, 60_000);

  test('gives up a pass that is no longer needed', async () => {
    const { id: customerId } = await world.harness.customer();
    await storeChain(world, customerId, signalChain(customerId, 5_000));
    const gone = new AbortController();
    const given = passes.run(
      { customerId, from: 0, to: null },
      { gone: gone.signal, onProgress: () => gone.abort() },
    );
    await expect(given).rejects.toThrow('the verification failed');
  }, 60_000);

  test('is replaced when it dies', async () => {
    const { id: customerId } = await world.harness.customer();
    await storeChain(world, customerId, signalChain(customerId, 5_000));
    const pass = { customerId, from: 0, to: null };
    const lost = await passes
      .run(pass, { ...NEVER, onProgress: () => void passes.close() })
      .catch((error: unknown) => error);
    expect(isRetryable(lost)).toBe(true);
    expect(await passes.run(pass, NEVER)).toMatchObject({ status: 'VALID', treeSize: 5_000 });
  }, 60_000);
});
