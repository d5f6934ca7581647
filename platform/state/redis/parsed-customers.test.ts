import { expect, test } from '@jest/globals';
import { parsedCustomers } from './parsed-customers.ts';

const json = (burst: number): string =>
  JSON.stringify({ active: true, ratePerSecond: 1, burst, auditQuota: null });

test('the same text is parsed once, another text of the customer anew', () => {
  const customer = parsedCustomers();
  const first = customer('a', json(1));
  expect(customer('a', json(1))).toBe(first);
  expect(customer('b', json(1))).not.toBe(first);
  expect(customer('a', json(2))).toEqual({ active: true, ratePerSecond: 1, burst: 2, auditQuota: null });
  expect(customer('a', json(1))).toEqual(first);
  expect(Object.isFrozen(first)).toBe(true);
});

test('so many customers are kept, then the first ones are parsed again', () => {
  const customer = parsedCustomers(2);
  const [a, b] = [customer('a', json(1)), customer('b', json(1))];
  customer('c', json(1));
  expect(customer('b', json(1))).toBe(b);
  expect(customer('a', json(1))).not.toBe(a);
});
