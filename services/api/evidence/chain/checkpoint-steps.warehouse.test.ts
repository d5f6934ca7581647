import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  type CheckpointDependencies,
  type CheckpointTarget,
  currentCheckpoint,
  noteOf,
  readAtCheckpoint,
} from '#records/ledger/checkpoints.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import { signalChain, storeChain } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

let world: StoredWorld;
let customerId = '';
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await world.real.clear();
  customerId = (await world.harness.customer()).id;
});

class Crashed extends Error {}

/** Dependencies of a process that dies at its n-th call, before or after the call takes effect. */
function mortal(dependencies: CheckpointDependencies, at: number, when: 'before' | 'after') {
  const process = { calls: 0 };
  const guarded = <Calls extends object>(calls: Calls): Calls =>
    new Proxy(calls, {
      get: (target, name) => {
        const inner = Reflect.get(target, name) as unknown;
        if (typeof inner !== 'function') return inner;
        return async (...args: unknown[]) => {
          process.calls += 1;
          const dies = process.calls === at;
          if (dies && when === 'before') throw new Crashed();
          const result: unknown = await inner.apply(target, args);
          if (dies) throw new Crashed();
          return result;
        };
      },
    });
  const { state, warehouse } = dependencies;
  return {
    process,
    dependencies: {
      ...dependencies,
      state: { ...state, documents: guarded(state.documents) },
      warehouse: guarded<Warehouse>(warehouse),
    },
  };
}

const grown = async (size: number, from = 0): Promise<void> => {
  await storeChain(world, customerId, signalChain(customerId, size), from);
  await growTree(world.real.warehouse, customerId, size);
};

const recorded = (): Promise<{ size: number; roots: number }[]> =>
  world.real.warehouse.query(
    'SELECT size, uniqExact(root) AS roots FROM checkpoints WHERE customerId = {customerId:String} GROUP BY size ORDER BY size',
    { customerId },
  );

describe.each(['before', 'after'] as const)('a process that dies %s the effect of any call', (when) => {
  test('leaves a checkpoint that the next process completes with the same note', async () => {
    const { dependencies } = world.harness;
    let calls = Number.POSITIVE_INFINITY;
    for (let at = 1; at <= calls; at += 1) {
      await world.real.clear();
      customerId = (await world.harness.customer()).id;
      await grown(9);
      const dying = mortal(dependencies, at, when);
      const died = await currentCheckpoint(dying.dependencies, customerId).catch((error: Error) => error);
      if (died instanceof Error) expect(died).toBeInstanceOf(Crashed);
      else calls = dying.process.calls;
      const next = await currentCheckpoint(dependencies, customerId);
      const note = noteOf(dependencies, customerId, next!);
      if (!(died instanceof Error)) expect(noteOf(dependencies, customerId, died!)).toBe(note);
      expect(await recorded()).toEqual([{ size: 9, roots: 1 }]);
    }
    expect(calls).toBeGreaterThan(6);
  }, 120_000);

  test('blocks nothing: the ledger grows, and the next checkpoint continues from what it left', async () => {
    const { dependencies } = world.harness;
    for (const at of [5, 6, 7, 8]) {
      await world.real.clear();
      customerId = (await world.harness.customer()).id;
      await grown(5);
      await currentCheckpoint(mortal(dependencies, at, when).dependencies, customerId).catch(() => null);
      await grown(12, 5);
      expect(await currentCheckpoint(dependencies, customerId)).toMatchObject({ size: 12 });
      expect((await recorded()).every(({ roots }) => roots === 1)).toBe(true);
    }
  }, 120_000);
});

test('a growing ledger has at most one checkpoint a second, however many requests', async () => {
  await grown(3);
  const first = await currentCheckpoint(world.harness.dependencies, customerId);
  await grown(4, 3);
  const later = await Promise.all(
    [0, 1, 2].map(() => currentCheckpoint(world.harness.dependencies, customerId)),
  );
  for (const one of later) {
    expect(one?.size).toBe(4);
    expect(Date.parse(one!.issuedAt) - Date.parse(first!.issuedAt)).toBeGreaterThanOrEqual(1_000);
  }
  expect(await recorded()).toHaveLength(2);
});

describe('data up to a checkpoint', () => {
  const checkpointsOf = async (dependencies: CheckpointDependencies) => {
    const checkpoints: (CheckpointTarget | null)[] = [];
    const found = await readAtCheckpoint(dependencies, customerId, async (checkpoint) => {
      checkpoints.push(checkpoint);
      return `read ${checkpoints.length} times`;
    });
    return { ...found, places: checkpoints };
  };

  test('is read once, while the tree is proved', async () => {
    await grown(9);
    const { checkpoint, value, places: checkpoints } = await checkpointsOf(world.harness.dependencies);
    expect(checkpoints).toEqual([{ size: 9, issuedAt: checkpoint!.issuedAt }]);
    expect(value).toBe('read 1 times');
  });

  test('is read for an empty ledger too', async () => {
    expect(await checkpointsOf(world.harness.dependencies)).toEqual({
      checkpoint: null,
      value: 'read 1 times',
      places: [null],
    });
  });

  test('is read again if another node signed meanwhile', async () => {
    await grown(9);
    const { dependencies } = world.harness;
    const later = { ...dependencies, now: () => dependencies.now() + 60_000 };
    let isOvertaken = false;
    const documents = new Proxy(dependencies.state.documents, {
      get: (target, name) => {
        const inner = Reflect.get(target, name) as unknown;
        if (typeof inner !== 'function') return inner;
        return async (...args: unknown[]) => {
          if (name === 'write' && !isOvertaken) {
            isOvertaken = true;
            await currentCheckpoint(later, customerId);
          }
          return inner.apply(target, args) as unknown;
        };
      },
    });
    const {
      checkpoint,
      value,
      places: checkpoints,
    } = await checkpointsOf({
      ...dependencies,
      state: { ...dependencies.state, documents },
    });
    expect(checkpoints).toHaveLength(2);
    expect(checkpoints[1]).toMatchObject({ size: 9, issuedAt: checkpoint!.issuedAt });
    expect(checkpoints[0]!.issuedAt).not.toBe(checkpoint!.issuedAt);
    expect(value).toBe('read 2 times');
    expect(await recorded()).toEqual([{ size: 9, roots: 1 }]);
  });
});
