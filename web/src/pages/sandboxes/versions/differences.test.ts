import { describe, expect, test } from '#jest';
import type { Sandbox } from '#schemas/api/sandboxes.ts';
import { differencesOf } from './differences.ts';

const SANDBOX: Sandbox = {
  id: '01993d5a-7c00-7000-8000-0000000000b1',
  version: 1,
  name: 'Support',
  slug: 'support',
  sandboxType: 'FULL_SPECTRUM',
  regulations: ['GDPR'],
  alertThreshold: 'HIGH',
  guardianAction: 'ALLOW_ALL',
  customRules: ['a', 'b'],
  region: 'EU',
  active: true,
  redactionStrategy: 'FULL',
  allowedValues: [],
  allowedCidrs: [],
  allowedPatterns: [],
  detectorsOff: [],
  minConfidence: {},
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
};

describe('differences', () => {
  test('are shown by setting, rule by rule', () => {
    const after = { ...SANDBOX, version: 2, updatedAt: 'later', active: false, customRules: ['b', 'c', 'c'] };
    expect(differencesOf(SANDBOX, after)).toEqual([
      { field: 'Custom rules', gone: ['a'], come: ['c', 'c'] },
      { field: 'Active', gone: ['Yes'], come: ['No'] },
    ]);
  });

  test('in order alone show both orders', () =>
    expect(differencesOf(SANDBOX, { ...SANDBOX, customRules: ['b', 'a'] })).toEqual([
      { field: 'Custom rules', gone: ['a', 'b'], come: ['b', 'a'] },
    ]));

  test('of the first version are all its settings', () => {
    const all = differencesOf(null, SANDBOX);
    expect(all.every(({ gone }) => gone.length === 0)).toBe(true);
    expect(all.map(({ field }) => field)).toContain('Name');
  });

  test('include the deletion', () =>
    expect(differencesOf(SANDBOX, { ...SANDBOX, deletedAt: 'then' })).toEqual([
      { field: 'Deleted', gone: [], come: ['then'] },
    ]));

  test('are in words', () =>
    expect(
      differencesOf(SANDBOX, {
        ...SANDBOX,
        guardianAction: 'BLOCK_ON_DETECT',
        detectorsOff: ['iban'],
        minConfidence: { default: 0.5, EMAIL: 0.9 },
      }),
    ).toEqual([
      { field: 'Detectors off', gone: [], come: ['IBAN'] },
      { field: 'Minimum confidence', gone: [], come: ['All others: 0.5', 'Email address (type): 0.9'] },
      { field: 'Guardrail', gone: ['Log only'], come: ['Block'] },
    ]));
});
