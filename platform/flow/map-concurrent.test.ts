import { expect, test } from '#jest';
import { mapConcurrent } from './map-concurrent.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('results stand in the order of the items, and so many are under way at once', async () => {
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

test('after an error nothing is begun, and what was under way ends first', async () => {
  const [begun, ended]: [number[], number[]] = [[], []];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    await turn();
    if (item === 1) throw new Error('one');
    for (let i = 0; i < 5; i++) await turn();
    ended.push(item);
  };
  await expect(mapConcurrent([0, 1, 2, 3], 2, work)).rejects.toThrow('one');
  expect([begun, ended]).toEqual([[0, 1], [0]]);
});
