import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { bodyOf, changeOf, NEW_DRAFT, otherRegulations, slugOf, withCode, withOthers } from './draft.ts';

describe('a change', () => {
  test('contains only what was changed', () => {
    const before = { ...NEW_DRAFT, name: 'Support', regulations: ['GDPR'] };
    expect(changeOf(before, { ...before, regulations: [...before.regulations] })).toEqual({});
    expect(changeOf(before, { ...before, regulations: [], active: false })).toEqual({
      regulations: [],
      active: false,
    });
  });

  test('has no blank rules', () => {
    expect(changeOf(NEW_DRAFT, { ...NEW_DRAFT, customRules: ['', ' \n'] })).toEqual({});
    expect(bodyOf('s1', { ...NEW_DRAFT, customRules: ['', 'secret'] })).toMatchObject({
      slug: 's1',
      customRules: ['secret'],
    });
  });
});

test.each([
  ['Customer support', 'customer-support'],
  ['  Żółw & Søn, 2nd!  ', 'zo-w-s-n-2nd'],
  ['***', ''],
])('%s suggests the slug %j', (name, slug) => expect(slugOf(name)).toBe(slug));

test('a suggested slug is valid or empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 128 }), (name) => {
      expect(slugOf(name)).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
      expect(slugOf(name).length).toBeLessThanOrEqual(64);
    }),
  );
});

test('regulations with and without a checkbox are combined', () => {
  const boxed = ['GDPR', 'SOC2'];
  const codes = withOthers(withCode(['GDPR', 'LGPD'], 'SOC2', true), boxed, 'lgpd, popia;  POPIA');
  expect(codes).toEqual(['GDPR', 'SOC2', 'LGPD', 'POPIA']);
  expect(otherRegulations(codes, boxed)).toBe('LGPD, POPIA');
  expect(withCode(codes, 'GDPR', false)).toEqual(['SOC2', 'LGPD', 'POPIA']);
});
