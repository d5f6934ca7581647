import { describe, expect, test } from '#jest';
import { hasNeeds, nearLiterals, needsOf } from './needs.ts';
import { parsePattern } from './syntax.ts';

const needs = (source: string) => needsOf(parsePattern(source, 'i'));

describe('the needs of a pattern', () => {
  test('are literals in lower case, the longest first', () =>
    expect(needs('AB-\\d{2}(?:KEY|CODE)x?').groups).toEqual([['ab-'], ['key', 'code']]));
  test('exclude letters beyond ASCII, which have several lower cases', () =>
    expect(needs('\u03c3\u03c3.ab').groups).toEqual([['ab']]));
  test('truncate a long literal to what can be found in linear time', () =>
    expect(needs('a'.repeat(30)).groups).toEqual([['aaaaaaaa']]));
  test('are empty if there are too many literals', () =>
    expect(needs(Array.from({ length: 20 }, (_, number) => `id${number}`).join('|')).groups).toEqual([]));
  test('are met by one literal of each group', () => {
    expect(hasNeeds('ab-12code', needs('AB-\\d{2}(?:KEY|CODE)'))).toBe(true);
    expect(hasNeeds('ab-12', needs('AB-\\d{2}(?:KEY|CODE)'))).toBe(false);
  });
});

test('a span far from every literal holds no hit', () => {
  const text = `ab-1${'.'.repeat(100)}ab-2${'.'.repeat(100)}`;
  const near = nearLiterals(text, needs('ab-\\d'));
  expect(near?.(150, 208)).toBe(false);
  expect(near?.(100, 150)).toBe(true);
  expect(near?.(20, 80)).toBe(false);
  expect(near?.(0, 20)).toBe(true);
});

test('hits of unbounded length, or without a literal, may be anywhere', () => {
  expect(nearLiterals('', needs('ab.*'))).toBeUndefined();
  expect(nearLiterals('', needs('\\d{3}'))).toBeUndefined();
});
