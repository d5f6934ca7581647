import { expect, test } from '#jest';
import { NumberList } from './number-list.ts';

test('numbers keep their indexes, however many there are', () => {
  const list = new NumberList();
  const count = 40_000;
  for (let i = 0; i < count; i++) list.push(i * 3);
  expect(list.length).toBe(count);
  for (const i of [0, 7, 8, 8_191, 8_192, 16_384, count - 1]) expect(list.at(i)).toBe(i * 3);
});

test('the last number can be removed and replaced, even at the start of a chunk', () => {
  const list = new NumberList();
  for (let i = 0; i <= 8_192; i++) list.push(i);
  list.pop();
  list.pop();
  list.push(2 ** 32 - 1);
  list.push(5);
  list.set(0, 9);
  expect([list.length, list.at(8_191), list.at(8_192), list.at(0)]).toEqual([8_193, 2 ** 32 - 1, 5, 9]);
});
