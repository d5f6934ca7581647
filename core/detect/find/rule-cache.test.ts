import { expect, test } from '#jest';
import { NO_RULES } from './custom-rules.ts';
import { createRuleCache } from './rule-cache.ts';
import { finish } from './steps.ts';

test('a list is compiled once while it is in use, and the one asked for longest ago goes first', () => {
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

test('lists are told apart by identity, and no rules need no place', () => {
  const cache = createRuleCache(1);
  const rulesOf = (rules: string[]) => finish(cache(rules));
  const rules = ['a'];
  const compiled = rulesOf(rules);
  expect(rulesOf([])).toBe(NO_RULES);
  expect(rulesOf(rules)).toBe(compiled);
  expect(rulesOf([...rules])).not.toBe(compiled);
});

test('a list is compiled a rule at a time, and at once when it is there', () => {
  const cache = createRuleCache(1);
  const rules = Array.from({ length: 50 }, (_, number) => `/(a|b)?${number}/`);
  const steps = cache(rules);
  let turns = 0;
  while (!steps.next().done) turns += 1;
  expect(turns).toBeGreaterThanOrEqual(49);
  expect(cache(rules).next().done).toBe(true);
});
