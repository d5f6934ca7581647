import { expect, test } from '@jest/globals';
import { NO_RULES } from './custom-rules.ts';
import { createRuleCache } from './rule-cache.ts';

test('a list is compiled once while it is in use, and the one asked for longest ago goes first', () => {
  const rulesOf = createRuleCache(2);
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
  const rulesOf = createRuleCache(1);
  const rules = ['a'];
  const compiled = rulesOf(rules);
  expect(rulesOf([])).toBe(NO_RULES);
  expect(rulesOf(rules)).toBe(compiled);
  expect(rulesOf([...rules])).not.toBe(compiled);
});
