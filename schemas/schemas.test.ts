import { describe, expect, test } from '#jest';
import { ERRORS, STATUS_NAMES } from './errors.ts';
import { TOPICS } from './topics.ts';
import { REPORTED_CODES, VIOLATION_CODES } from './vocabulary.ts';

describe('vocabulary', () => {
  test('defines every violation code once', () => {
    expect(new Set(VIOLATION_CODES).size).toBe(VIOLATION_CODES.length);
  });
  test('every code but CUSTOM_RULE and CSAM is reported by some type other than FULL_SPECTRUM', () => {
    const { FULL_SPECTRUM: _all, ...others } = REPORTED_CODES;
    const reported = new Set(Object.values(others).flat());
    expect(VIOLATION_CODES.filter((code) => !reported.has(code))).toEqual(['CUSTOM_RULE']);
  });
});

test('every error has a status with a name', () => {
  for (const { statusCode } of Object.values(ERRORS)) expect(STATUS_NAMES[statusCode]).toBeDefined();
});

test('topic names are unique', () => {
  expect(new Set(TOPICS.map((topic) => topic.name)).size).toBe(TOPICS.length);
});
