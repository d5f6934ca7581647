import { expect, test } from '@jest/globals';
import { flushGuard } from './flush-guard.ts';
import { EpochMovedOn } from './start-position.ts';

function setUp() {
  const world = { time: 0, epoch: 1, looks: [] as string[] };
  const look = (name: string) => async () => void world.looks.push(name);
  const guard = flushGuard({
    store: {
      epoch: async () => {
        world.looks.push('epoch');
        return world.epoch;
      },
    },
    epoch: 1,
    skips: { refresh: look('skips'), assertLeft: look('records') },
    clock: () => world.time,
  });
  return { world, guard };
}

test('epoch and skipped records are looked at before the first flush and then once a second, records before each', async () => {
  const { world, guard } = setUp();
  await guard([]);
  expect(world.looks.sort()).toEqual(['epoch', 'records', 'skips']);
  world.time = 999;
  await guard([]);
  expect(world.looks.splice(0)).toHaveLength(4);
  world.time = 1_000;
  await guard([]);
  expect(world.looks.sort()).toEqual(['epoch', 'records', 'skips']);
});

test('a look that found another epoch is no look: the next flush is refused too', async () => {
  const { world, guard } = setUp();
  world.epoch = 2;
  await expect(guard([])).rejects.toBeInstanceOf(EpochMovedOn);
  await expect(guard([])).rejects.toBeInstanceOf(EpochMovedOn);
});
