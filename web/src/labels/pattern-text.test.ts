import { describe, expect, test } from '#jest';
import { confidenceText, groupText, patternText } from './pattern-text.ts';

const HOUR = { windowStart: '2026-11-20T10:00:00.000Z', windowEnd: '2026-11-20T11:00:00.000Z' };
const DAY = { windowStart: '2026-11-20T00:00:00.000Z', windowEnd: '2026-11-21T00:00:00.000Z' };

describe('a pattern is described in words', () => {
  test('with the numbers of a spike', () => {
    const spike = {
      type: 'BURST' as const,
      count: 510,
      observed: 510,
      baseline: 0.32,
      description: '510 signals with PII_LEAK in an hour; normally about 0.32 at this hour and weekday.',
      ...HOUR,
    };
    expect(patternText({ ...spike, key: 'violation:PII_LEAK' })).toBe(
      '510 signals with personal data in an hour; normally 0.3 at this time.',
    );
    expect(patternText({ ...spike, key: 'risk:HIGH', baseline: 0.01 })).toBe(
      '510 signals with high risk in an hour; normally fewer than 0.1 at this time.',
    );
  });

  test('with the source of a recurring violation', () => {
    const recurring = {
      type: 'RECURRING' as const,
      count: 105,
      observed: 105,
      baseline: 1.1,
      description:
        'JAILBREAK_ATTEMPT recurs in sandbox customer-support: 105 signals in 10 hours of the day; normally about 1.1 a day.',
      ...DAY,
    };
    expect(patternText({ ...recurring, key: 'sandbox:1/violation:JAILBREAK_ATTEMPT' })).toBe(
      'Recurring jailbreak attempt in customer-support: 105 over 10 hours; normally 1.1 a day.',
    );
    expect(patternText({ ...recurring, key: 'model:openai/gpt-4/violation:XSS' })).toBe(
      'Recurring cross-site scripting (XSS) from model gpt-4: 105 over 10 hours; normally 1.1 a day.',
    );
    expect(patternText({ ...recurring, key: 'sandbox:1/violation:SSN', description: 'SSN, HIGH.' })).toBe(
      'social security number, high.',
    );
  });

  test('with shares and sandboxes', () => {
    expect(
      patternText({
        type: 'CROSS_SANDBOX',
        key: 'violation:SSN',
        count: 40,
        observed: 40,
        baseline: 3,
        description: 'SSN increased in 7 sandboxes within an hour: 40 signals; normally about 3.',
        ...HOUR,
      }),
    ).toBe('Social security number spiked in 7 sandboxes within an hour: 40 signals; normally 3.');
    const shares = { count: 9, observed: 0.345, baseline: 0.1, ...DAY };
    expect(
      patternText({ type: 'MODEL_REGRESSION', key: 'model:openai/a/b', description: '', ...shares }),
    ).toBe(
      'New model a/b: 34.5 % of its signals are High or Critical; 10 % is normal in the same sandboxes.',
    );
    expect(
      patternText({
        type: 'ESCALATION',
        key: 'sandbox:1',
        description:
          'Risk is rising in sandbox shop: HIGH and CRITICAL signals went from 10 % to 34.5 % in two weeks.',
        ...shares,
      }),
    ).toBe('Risk is rising in shop: High and Critical signals went from 10 % to 34.5 % in two weeks.');
  });

  test('with the size of a campaign', () =>
    expect(
      patternText({
        type: 'CAMPAIGN',
        key: 'shape:ab',
        count: 15,
        observed: 15,
        baseline: 1,
        description: '15 attack prompts in a day are near-duplicates of each other, out of 93 compared.',
        ...DAY,
      }),
    ).toBe('15 near-identical attack prompts in a day, out of 93 compared.'));
});

test.each([
  ['violation:SSN', 'Social security number'],
  ['risk:HIGH', 'High risk'],
  ['sandbox:1/violation:SSN', 'Sandbox shop · Social security number'],
  ['model:openai/gpt-4/violation:EMAIL', 'Model openai/gpt-4 · Email address'],
  ['provider:openai', 'Provider openai'],
  ['shape:ab12', 'Similar prompts'],
  ['new', 'new'],
])('the group of %s', (key, expected) =>
  expect(groupText({ key, description: 'SSN recurs in sandbox shop: 3 signals' })).toBe(expected),
);

test('a score is a degree of confidence', () =>
  expect([0.5, 0.75, 1].map(confidenceText)).toEqual(['moderate', 'high', 'very high']));
