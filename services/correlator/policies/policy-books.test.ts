import { expect, test } from '#jest';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { policyBooks } from './policy-books.ts';

const RULES = 3;
/** A warehouse in which every customer has one policy with three rules, at index 0. */
function counted() {
  const asked: unknown[] = [];
  const core = JSON.stringify({
    policyId: 'p',
    version: 1,
    sandboxSlugs: [],
    rules: ['EMAIL', 'SSN', 'PHONE'].map((code) => ({
      code,
      minRiskLevel: 'HIGH',
      maxCount: 0,
      windowDays: 1,
      action: 'OPEN_INCIDENT',
    })),
    enforcement: 'ENFORCE',
    active: true,
    deletedAt: null,
  });
  const query = async (_sql: string, { customerId }: { customerId: string }) => {
    asked.push(customerId);
    return [{ index: 0, core }];
  };
  return { asked, warehouse: { query } as unknown as Warehouse };
}

test('books hold so many rules and customers; the one asked for longest ago is read again', async () => {
  const { asked, warehouse } = counted();
  const books = policyBooks(warehouse, 2 * (1 + RULES));
  for (const customer of ['a', 'b', 'a', 'c', 'a', 'b']) await books.at(customer, 1, 5);
  expect(asked).toEqual(['a', 'b', 'c', 'b']);
});

test('a book larger than all of it is kept while it is used', async () => {
  const { asked, warehouse } = counted();
  const books = policyBooks(warehouse, 1);
  for (const customer of ['a', 'a', 'b', 'a']) await books.at(customer, 1, 5);
  expect(asked).toEqual(['a', 'b', 'a']);
});

test('a book is read anew behind a gap, at another epoch, and when it was forgotten', async () => {
  const { asked, warehouse } = counted();
  const books = policyBooks(warehouse);
  const book = await books.at('a', 1, 5);
  book.next = 9;
  expect(await books.at('a', 1, 9)).toBe(book);
  expect(await books.at('a', 1, 7)).toBe(book);
  expect(await books.at('a', 1, 10)).not.toBe(book);
  await books.at('a', 2, 10);
  books.forget('a');
  await books.at('a', 2, 10);
  books.forgetAll();
  await books.at('a', 2, 10);
  expect(asked).toHaveLength(5);
});

test('of many customers without policies one question is asked, and of those with some their policies', async () => {
  const asked: object[] = [];
  const query = async (_sql: string, params: { customerIds?: string[] }) => {
    asked.push(params);
    return params.customerIds === undefined ? [] : [{ customerId: 'b' }];
  };
  const books = policyBooks({ query } as unknown as Warehouse);
  const beginnings = ['a', 'b', 'c'].map((customerId) => ({ customerId, epoch: 1, first: 5 }));
  await books.meet(beginnings);
  for (const { customerId } of beginnings)
    expect((await books.at(customerId, 1, 5)).policies.isEmpty).toBe(true);
  await books.meet(beginnings);
  expect(asked).toEqual([{ customerIds: ['a', 'b', 'c'] }, { customerId: 'b', below: 5 }]);
});
