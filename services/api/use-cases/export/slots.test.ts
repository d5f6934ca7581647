import { expect, test } from '@jest/globals';
import { createExportSlots } from './slots.ts';

const LIMITS = { total: 16, perCustomer: 4 };

test('a few customers that take all they can leave places for others', () => {
  const slots = createExportSlots(LIMITS);
  const takeAll = (customerId: string): number => {
    for (let count = 0; ; count++) {
      try {
        slots.take(customerId);
      } catch {
        return count;
      }
    }
  };
  expect(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(takeAll)).toEqual([4, 4, 4, 2, 1, 1, 0]);
});

test('a place that is given back is free once, and serves anybody', () => {
  const slots = createExportSlots({ total: 2, perCustomer: 1 });
  const back = slots.take('a');
  expect(() => slots.take('a')).toThrow('Too many exports run at once; repeat the request later');
  slots.take('b');
  expect(() => slots.take('c')).toThrow('Too many exports');
  back();
  back();
  slots.take('c');
  expect(() => slots.take('d')).toThrow('Too many exports');
});
