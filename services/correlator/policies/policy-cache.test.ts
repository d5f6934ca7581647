import { expect, test } from '#jest';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { policyCache } from './policy-cache.ts';

const RULES = 3;
/** A warehouse in which every customer has one policy with three rules, at index 0. */
function counted() {
  const queried: unknown[] = [];
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
    queried.push(customerId);
    return [{ index: 0, core }];
  };
  return { queried, warehouse: { query } as unknown as Warehouse };
}

test('the cache holds a limited number of rules and customers; the least recently used is read again', async () => {
  const { queried, warehouse } = counted();
  const cache = policyCache(warehouse, 2 * (1 + RULES));
  for (const customer of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.at(customer, 1, 5);
  expect(queried).toEqual(['a', 'b', 'c', 'b']);
});

test('an entry larger than the limit is kept while it is used', async () => {
  const { queried, warehouse } = counted();
  const cache = policyCache(warehouse, 1);
  for (const customer of ['a', 'a', 'b', 'a']) await cache.at(customer, 1, 5);
  expect(queried).toEqual(['a', 'b', 'a']);
});

test('an entry is read again after a gap, in another epoch, and when it was forgotten', async () => {
  const { queried, warehouse } = counted();
  const cache = policyCache(warehouse);
  const cached = await cache.at('a', 1, 5);
  cached.next = 9;
  expect(await cache.at('a', 1, 9)).toBe(cached);
  expect(await cache.at('a', 1, 7)).toBe(cached);
  expect(await cache.at('a', 1, 10)).not.toBe(cached);
  await cache.at('a', 2, 10);
  cache.forget('a');
  await cache.at('a', 2, 10);
  cache.forgetAll();
  await cache.at('a', 2, 10);
  expect(queried).toHaveLength(5);
});

test('makes one query for many customers without policies, and reads policies only of the others', async () => {
  const queried: object[] = [];
  const query = async (_sql: string, params: { customerIds?: string[] }) => {
    queried.push(params);
    return params.customerIds === undefined ? [] : [{ customerId: 'b' }];
  };
  const cache = policyCache({ query } as unknown as Warehouse);
  const starts = ['a', 'b', 'c'].map((customerId) => ({ customerId, epoch: 1, first: 5 }));
  await cache.preload(starts);
  for (const { customerId } of starts) expect((await cache.at(customerId, 1, 5)).policies.isEmpty).toBe(true);
  await cache.preload(starts);
  expect(queried).toEqual([{ customerIds: ['a', 'b', 'c'] }, { customerId: 'b', below: 5 }]);
});
