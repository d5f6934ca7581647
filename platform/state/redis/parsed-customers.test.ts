import { expect, test } from '#jest';
import { textOf } from '../document-text.ts';
import { CUSTOMERS } from '../port.ts';
import { pathOf } from './keys.ts';
import { parsedCustomers } from './parsed-customers.ts';

const text = (id: string, burst: number): string =>
  textOf(
    pathOf({ scope: id, collection: CUSTOMERS, id }),
    JSON.stringify({ active: true, ratePerSecond: 1, burst, auditQuota: null }),
  );

test('the same text is parsed once, and a changed text of the customer again', () => {
  const customer = parsedCustomers();
  const first = customer('a', text('a', 1));
  expect(customer('a', text('a', 1))).toBe(first);
  expect(customer('b', text('b', 1))).not.toBe(first);
  expect(customer('a', text('a', 2))).toEqual({ active: true, ratePerSecond: 1, burst: 2, auditQuota: null });
  expect(customer('a', text('a', 1))).toEqual(first);
  expect(Object.isFrozen(first)).toBe(true);
});

test('a limited number of customers is cached, and the oldest are parsed again', () => {
  const customer = parsedCustomers(2);
  const [a, b] = [customer('a', text('a', 1)), customer('b', text('b', 1))];
  customer('c', text('c', 1));
  expect(customer('b', text('b', 1))).toBe(b);
  expect(customer('a', text('a', 1))).not.toBe(a);
});

test('a text of another customer, or one with flipped bits, is refused by name', () => {
  const customer = parsedCustomers();
  expect(() => customer('b', text('a', 1))).toThrow(/the state is damaged: {b}:customers:b/);
  expect(() => customer('a', text('a', 1).replace('true', 'trud'))).toThrow(/the state is damaged/);
});
