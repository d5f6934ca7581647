import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { editDistance, nearestName, shownName } from './nearest-name.ts';

describe('the nearest name', () => {
  const names = ['sandboxSlug', 'riskLevel', 'provider', 'model', 'from', 'to', 'limit', 'cursor'];
  test.each([
    ['risk', 'riskLevel'],
    ['RiskLevel', 'riskLevel'],
    ['risk_level', 'riskLevel'],
    ['sandbox', 'sandboxSlug'],
    ['sanboxSlug', 'sandboxSlug'],
    ['form', 'from'],
    ['since', 'from'],
    ['pageSize', 'limit'],
    ['modle', 'model'],
  ])('to %s is %s', (sent, expected) => {
    expect(nearestName(sent, names)).toBe(expected);
  });

  test.each(['zzz', 'q', '', '_', '__proto__', 'constructor', 'color'])('to %s does not exist', (sent) => {
    expect(nearestName(sent, names)).toBeNull();
  });

  test('is one of the names, for any input', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { maxLength: 8 }), (sent, known) => {
        const nearest = nearestName(sent, known);
        expect(nearest === null || known.includes(nearest)).toBe(true);
      }),
    );
  });

  test('is found with a bounded number of comparisons', () => {
    const many = Array.from({ length: 100_000 }, (_, n) => `name${'x'.repeat(10_000)}${n}`);
    const started = performance.now();
    nearestName('y'.repeat(1_000_000), many);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(nearestName('last', [...many.slice(0, 64), 'last'])).toBeNull();
  });
});

test('swapped letters count as one mistake', () => {
  expect(editDistance('form', 'from', 3)).toBe(1);
  expect(editDistance('promt', 'prompt', 3)).toBe(1);
  expect(editDistance('kitten', 'sitting', 3)).toBe(3);
  expect(editDistance('abc', 'abcdefgh', 3)).toBe(4);
});

describe('an unknown name in an error', () => {
  test.each([
    ['promt', 'promt'],
    ['sandbox_slug', 'sandbox_slug'],
    ['a"b\n\u202e<c>', 'a?b???c?'],
    ['x'.repeat(100), `${'x'.repeat(40)}…`],
  ])('is shown: %j', (name, shown) => {
    expect(shownName(name)).toBe(shown);
  });

  test.each([
    `cas_${'a1'.repeat(24)}`,
    'cas_12345678',
    `aud_${'0f'.repeat(32)}`,
    'Bearer abc',
    'sk-proj1234',
    'eyJhbGciOiJIUzI1NiJ9',
    'ann@example.org',
    '4111111111111111',
    'dGhpcyBpcyBhIHNlY3JldCB0ZXh0MTIz',
    'zq1a2b3c012',
  ])('is not shown if it may be a secret: %s', (name) => {
    expect(shownName(name)).toBeNull();
  });
});
