import { expect, test } from '#jest';
import { notifyBy } from './deadlines.ts';

const AT = '2026-11-01T10:00:00.000Z';

test.each([
  [['GDPR'], '2026-11-04T10:00:00.000Z'],
  [['EU_AI_ACT'], '2026-11-16T10:00:00.000Z'],
  [['HIPAA'], '2026-12-31T10:00:00.000Z'],
  [['SOC2', 'HIPAA', 'EU_AI_ACT'], '2026-11-16T10:00:00.000Z'],
  [['SOC2', 'constructor'], null],
  [[], null],
])('the earliest notification deadline of %j applies', (regulations, expected) => {
  expect(notifyBy(regulations, AT)).toBe(expected);
});
