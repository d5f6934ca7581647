import { describe, expect, test } from '#jest';
import type { Assignment } from '#platform/event-log/port.ts';
import type { Head } from '../fold/rows.ts';
import { createHeadCache } from './head-cache.ts';

const assigned = (partition = 3): Assignment => ({
  topic: 'audit.ledger',
  partition,
  start: 0,
  end: 99,
  committed: null,
});
const head = (index: number): Head => ({ index, hash: `${index}`, closed: false });
const heads = (given: Record<string, number>): Map<string, Head> =>
  new Map(Object.entries(given).map(([customer, index]) => [customer, head(index)]));

describe('the cache of heads', () => {
  test('returns the heads after contiguous chunks, and nothing at any other offset', () => {
    const cache = createHeadCache();
    const assignment = assigned();
    cache.begin(assignment);
    cache.store(assignment, 0, 5, heads({ a: 1, b: 2 }));
    cache.store(assignment, 5, 8, heads({ a: 3 }));
    expect(cache.at(assignment, 8)).toEqual(heads({ a: 3, b: 2 }));
    expect(cache.at(assignment, 7)).toEqual(new Map());
    expect(cache.at(assignment, 9)).toEqual(new Map());
  });

  test('starts empty after a gap, because earlier heads may be outdated', () => {
    const cache = createHeadCache();
    const assignment = assigned();
    cache.begin(assignment);
    cache.store(assignment, 0, 5, heads({ a: 1, b: 2 }));
    cache.store(assignment, 6, 8, heads({ a: 3 }));
    expect(cache.at(assignment, 8)).toEqual(heads({ a: 3 }));
  });

  test('late stores and failures of a lost assignment do not affect a later one', () => {
    const cache = createHeadCache();
    const [lost, later] = [assigned(), assigned()];
    cache.begin(lost);
    cache.store(lost, 0, 5, heads({ a: 1 }));
    cache.begin(later);
    expect(cache.at(later, 5)).toEqual(new Map());
    cache.store(later, 5, 10, heads({ a: 4 }));
    cache.store(lost, 5, 10, heads({ a: 2, b: 0 }));
    cache.forget(lost);
    expect(cache.at(later, 10)).toEqual(heads({ a: 4 }));
    expect(cache.at(lost, 10)).toEqual(new Map());
  });

  test('holds a limited number of customers per partition', () => {
    const cache = createHeadCache(2);
    const [one, other] = [assigned(1), assigned(2)];
    cache.begin(one);
    cache.begin(other);
    cache.store(one, 0, 1, heads({ a: 1, b: 1 }));
    cache.store(one, 1, 2, heads({ c: 1 }));
    cache.store(other, 0, 2, heads({ d: 7 }));
    expect(cache.at(one, 2)).toEqual(heads({ c: 1 }));
    cache.forget(one);
    expect(cache.at(one, 2)).toEqual(new Map());
    expect(cache.at(other, 2)).toEqual(heads({ d: 7 }));
  });
});
