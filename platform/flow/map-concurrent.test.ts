import { expect, test } from '#jest';
import { mapConcurrent } from './map-concurrent.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('results are in the order of the items, and at most the given number run at once', async () => {
  let inFlight = 0;
  let most = 0;
  const results = await mapConcurrent([5, 1, 4, 1, 5, 9, 2, 6], 3, async (item) => {
    most = Math.max(most, ++inFlight);
    for (let i = 0; i < item; i++) await turn();
    inFlight--;
    return item * 2;
  });
  expect(results).toEqual([10, 2, 8, 2, 10, 18, 4, 12]);
  expect(most).toBe(3);
  expect(await mapConcurrent([], 3, turn)).toEqual([]);
});

test('after an error no further item starts, and those in progress finish first', async () => {
  const [started, ended]: [number[], number[]] = [[], []];
  const work = async (item: number): Promise<void> => {
    started.push(item);
    await turn();
    if (item === 1) throw new Error('one');
    for (let i = 0; i < 5; i++) await turn();
    ended.push(item);
  };
  await expect(mapConcurrent([0, 1, 2, 3], 2, work)).rejects.toThrow('one');
  expect([started, ended]).toEqual([[0, 1], [0]]);
});
