import { expect, test } from '#jest';
import { createExportPermits } from '../../operations/limits/export-permits.ts';

const LIMITS = { total: 16, perCustomer: 4 };

test('a few customers that take all they can leave permits for others', () => {
  const permits = createExportPermits(LIMITS);
  const takeAll = (customerId: string): number => {
    for (let count = 0; ; count++) {
      try {
        permits.take(customerId);
      } catch {
        return count;
      }
    }
  };
  expect(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(takeAll)).toEqual([4, 4, 4, 2, 1, 1, 0]);
});

test('a released permit is free once, for any customer', () => {
  const permits = createExportPermits({ total: 2, perCustomer: 1 });
  const back = permits.take('a');
  expect(() => permits.take('a')).toThrow('Too many exports of this customer at once');
  permits.take('b');
  expect(() => permits.take('c')).toThrow('Too many exports at once. Try again later.');
  back();
  back();
  permits.take('c');
  expect(() => permits.take('d')).toThrow('Too many exports');
});
