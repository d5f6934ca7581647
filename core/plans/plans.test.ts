import { describe, expect, test } from '#jest';
import { limitReached, NO_OVERRIDES, resolveLimits } from './plans.ts';

describe('limits', () => {
  test.each([
    ['DEV', 10, 50, 1_000, 1],
    ['PRO', 100, 500, null, 10],
    ['PRO_MAX', 500, 2500, null, 25],
    ['ENTERPRISE', 500, 2500, null, null],
  ] as const)('%s', (plan, ratePerSecond, burst, auditQuota, sandboxQuota) => {
    expect(resolveLimits(plan)).toEqual({ ratePerSecond, burst, auditQuota, sandboxQuota });
  });

  test('an override replaces one limit, including with 0', () => {
    expect(resolveLimits('DEV', { ...NO_OVERRIDES, rate: 7, auditQuota: 0 })).toEqual({
      ratePerSecond: 7,
      burst: 50,
      auditQuota: 0,
      sandboxQuota: 1,
    });
  });

  test('the text for an exhausted quota names the next plan', () => {
    expect(limitReached('DEV', 'audit', 1000)).toBe('DEV plan audit limit of 1000 reached. Upgrade to PRO.');
    expect(limitReached('ENTERPRISE', 'sandbox', 3)).toBe(
      'ENTERPRISE plan sandbox limit of 3 reached. Ask for a higher limit.',
    );
  });
});
