import { describe, expect, test } from '#jest';
import { FRAMEWORKS } from '#schemas/vocabulary.ts';
import { CATALOGUES } from '../frameworks/catalogues.ts';
import { passRate, policyStatus } from './report.ts';
import { counts, frameworkRules, type PolicyRule } from './rules.ts';

const rule = (maxCount: number): PolicyRule => ({
  code: 'EMAIL',
  minRiskLevel: 'HIGH',
  maxCount,
  windowDays: 1,
  action: 'ALERT',
});

describe('the status of a policy', () => {
  test.each([
    [0, 0, 'PASS'],
    [0, 1, 'FAIL'],
    [1, 0, 'PASS'],
    [1, 1, 'WARN'],
    [1, 2, 'FAIL'],
    [10, 7, 'PASS'],
    [10, 8, 'WARN'],
    [10, 10, 'WARN'],
    [10, 11, 'FAIL'],
    [4, 3, 'PASS'],
    [4, 4, 'WARN'],
  ])('is, for a rule that allows %i with %i signals: %s', (maxCount, count, status) => {
    expect(policyStatus([{ rule: rule(maxCount), count }])).toBe(status);
  });

  test('is that of its worst rule; without rules it passes', () => {
    const [warned, failed] = [
      { rule: rule(1), count: 1 },
      { rule: rule(1), count: 2 },
    ];
    expect(policyStatus([])).toBe('PASS');
    expect(policyStatus([warned, { rule: rule(9), count: 0 }])).toBe('WARN');
    expect(policyStatus([failed, warned])).toBe('FAIL');
  });

  test('has a rate between 0 and 1', () => {
    expect([passRate(0, 0), passRate(3, 0), passRate(3, 1), passRate(3, 3)]).toEqual([1, 0, 0.333333, 1]);
  });
});

describe('signals counted by a rule', () => {
  test.each([
    ['EMAIL', 'HIGH', 'CRITICAL', ['SSN', 'EMAIL'], true],
    ['EMAIL', 'HIGH', 'HIGH', ['EMAIL'], true],
    ['EMAIL', 'HIGH', 'MEDIUM', ['EMAIL'], false],
    ['EMAIL', 'LOW', 'CRITICAL', ['SSN'], false],
    ['*', 'LOW', 'LOW', ['SSN'], true],
    ['*', 'LOW', 'CRITICAL', [], false],
    ['*', 'LOW', '', [], false],
    ['EMAIL', 'LOW', '', ['EMAIL'], false],
  ] as const)(
    '%s from %s, for a %s signal with %j: %s',
    (code, minRiskLevel, riskLevel, violations, counted) => {
      expect(counts({ code, minRiskLevel }, { riskLevel, violations })).toBe(counted);
    },
  );
});

test.each(FRAMEWORKS)('%s: a policy without rules allows no HIGH signal with a mapped code', (framework) => {
  const { controls } = CATALOGUES.find((one) => one.framework === framework)!;
  const codes = new Set(controls.flatMap(({ mapping }) => mapping?.codes ?? []));
  const rules = frameworkRules(framework);
  expect(new Set(rules.map(({ code }) => code))).toEqual(codes);
  expect(rules).toHaveLength(codes.size);
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.length).toBeLessThanOrEqual(64);
  for (const { minRiskLevel, maxCount } of rules) expect([minRiskLevel, maxCount]).toEqual(['HIGH', 0]);
});
