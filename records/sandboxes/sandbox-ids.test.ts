import { expect, test } from '#jest';
import { type Documents, StateUnavailable } from '#platform/state/port.ts';
import { sandboxIds } from './sandbox-ids.ts';

/** Documents of customers with two sandboxes each; `asked`: whose ids were read. */
function twoEach(fail: () => boolean = () => false) {
  const asked: string[] = [];
  const documents = {
    get: async () => ({ id: 'x', version: 1, value: {} }),
    ids: async (scope: string, collection: string) => {
      if (fail()) throw new StateUnavailable('away');
      if (collection !== 'sandboxes') return [];
      asked.push(scope);
      return [`${scope}-1`, `${scope}-2`];
    },
  } as unknown as Documents;
  return { documents, asked };
}

test('no more ids are cached than the limit allows; the least recently used are evicted', async () => {
  const { documents, asked } = twoEach();
  const ids = sandboxIds(documents, 4);
  for (const customer of ['a', 'b', 'a', 'c', 'a', 'c', 'b'])
    expect(await ids.of(customer)).toEqual([`${customer}-1`, `${customer}-2`]);
  expect(asked).toEqual(['a', 'b', 'c', 'b']);
});

test('ids of one customer beyond the limit are returned but not cached', async () => {
  const { documents, asked } = twoEach();
  const ids = sandboxIds(documents, 1);
  expect(await ids.of('a')).toHaveLength(2);
  expect(await ids.of('a')).toHaveLength(2);
  expect(asked).toEqual(['a', 'a']);
});

test('a failed read is not cached', async () => {
  let isAway = true;
  const { documents } = twoEach(() => isAway);
  const ids = sandboxIds(documents);
  await expect(ids.of('a')).rejects.toThrow(StateUnavailable);
  isAway = false;
  expect(await ids.of('a')).toEqual(['a-1', 'a-2']);
});
