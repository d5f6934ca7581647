import { expect, test } from '#jest';
import { NO_RULES } from './custom-rules.ts';
import { createRuleCache } from './rule-cache.ts';
import { finish } from './steps.ts';

test('a list in use is compiled once, and the least recently used one is evicted first', () => {
  const cache = createRuleCache(2);
  const rulesOf = (rules: string[]) => finish(cache(rules));
  const [first, second, third] = [['a'], ['b'], ['/c/']];
  const compiled = rulesOf(first);
  rulesOf(second);
  expect(rulesOf(first)).toBe(compiled);
  rulesOf(third);
  expect(rulesOf(first)).toBe(compiled);
  rulesOf(second);
  rulesOf(third);
  expect(rulesOf(first)).not.toBe(compiled);
});

test('lists are distinguished by identity, and empty lists take no space', () => {
  const cache = createRuleCache(1);
  const rulesOf = (rules: string[]) => finish(cache(rules));
  const rules = ['a'];
  const compiled = rulesOf(rules);
  expect(rulesOf([])).toBe(NO_RULES);
  expect(rulesOf(rules)).toBe(compiled);
  expect(rulesOf([...rules])).not.toBe(compiled);
});

test('a list is compiled one rule per step, and returned at once if it is cached', () => {
  const cache = createRuleCache(1);
  const rules = Array.from({ length: 50 }, (_, number) => `/(a|b)?${number}/`);
  const steps = cache(rules);
  let turns = 0;
  while (!steps.next().done) turns += 1;
  expect(turns).toBeGreaterThanOrEqual(49);
  expect(cache(rules).next().done).toBe(true);
});
