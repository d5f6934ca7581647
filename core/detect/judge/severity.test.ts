import { describe, expect, test } from '#jest';
import { VIOLATION_CODES } from '#schemas/vocabulary.ts';
import type { Match } from '../find/match.ts';
import { BASE_LEVELS, rate } from './severity.ts';

const match = (code: Match['code'], more: Partial<Match> = {}): Match => ({
  code,
  entity: null,
  detector: 'test',
  version: 1,
  source: 'prompt',
  start: 0,
  end: 1,
  confidence: 0.9,
  ...more,
});

describe('risk level', () => {
  test('is defined for every code', () => {
    expect(Object.keys(BASE_LEVELS).toSorted()).toEqual([...VIOLATION_CODES].toSorted());
  });
  test('is LOW without matches', () => {
    expect(rate([])).toEqual({ level: 'LOW', decidedBy: null, raised: null });
  });
  test('is not raised by one kind of personal data in the prompt', () => {
    const twice = [match('EMAIL', { entity: 'EMAIL' }), match('EMAIL', { entity: 'EMAIL', start: 5 })];
    expect(rate(twice)).toEqual({ level: 'LOW', decidedBy: 'EMAIL', raised: null });
    expect(rate([match('SSN', { entity: 'SSN' })]).level).toBe('MEDIUM');
  });
  test('is raised by one for several kinds or the response, and by only one for both', () => {
    const email = match('EMAIL', { entity: 'EMAIL' });
    const card = match('CREDIT_CARD', { entity: 'CREDIT_CARD', source: 'response' });
    expect(rate([email, match('PHONE', { entity: 'PHONE' })])).toEqual({
      level: 'MEDIUM',
      decidedBy: 'EMAIL',
      raised: 'SEVERAL_KINDS',
    });
    expect(rate([{ ...email, source: 'response' }]).level).toBe('MEDIUM');
    expect(rate([email, card])).toEqual({ level: 'HIGH', decidedBy: 'CREDIT_CARD', raised: 'IN_RESPONSE' });
  });
  test('stays LOW for names alone, in the response and in any number, but names count next to other personal data', () => {
    const name = match('PII_LEAK', { entity: 'PERSON', source: 'response' });
    expect(rate([name])).toEqual({ level: 'LOW', decidedBy: 'PII_LEAK', raised: null });
    expect(rate([name, { ...name, start: 9 }, { ...name, source: 'prompt' }]).level).toBe('LOW');
    expect(rate([name, match('PHONE', { entity: 'PHONE', confidence: 0.3 })]).level).toBe('LOW');
    expect(rate([name, match('PHONE', { entity: 'PHONE' })])).toMatchObject({
      level: 'MEDIUM',
      raised: 'IN_RESPONSE',
    });
    expect(rate([match('PII_LEAK', { entity: 'ADDRESS', source: 'response' })]).level).toBe('MEDIUM');
  });
  test('counts two kinds under one code as two kinds', () => {
    const name = match('PII_LEAK', { entity: 'PERSON' });
    expect(rate([name, match('PII_LEAK', { entity: 'ADDRESS' })]).level).toBe('MEDIUM');
    expect(rate([match('PII_LEAK', { entity: 'DRIVER_LICENSE' })]).level).toBe('MEDIUM');
  });
  test('is HIGH for secrets and attacks, and not raised by the response', () => {
    expect(rate([match('SECRET_LEAK', { entity: 'API_KEY', source: 'response' })]).level).toBe('HIGH');
    expect(rate([match('JAILBREAK_ATTEMPT')]).level).toBe('HIGH');
  });
  test('is CRITICAL for dangerous instructions that are given, and for CSAM', () => {
    expect(rate([match('DANGEROUS_INSTRUCTIONS')]).level).toBe('HIGH');
    expect(rate([match('DANGEROUS_INSTRUCTIONS', { source: 'response' })]).level).toBe('CRITICAL');
    expect(rate([match('CSAM', { confidence: 0.1 })]).level).toBe('CRITICAL');
  });
  test('is LOW for a hint, which raises nothing', () => {
    const hint = match('SECRET_LEAK', { entity: 'API_KEY', confidence: 0.4 });
    expect(rate([hint]).level).toBe('LOW');
    const emails = [
      match('EMAIL', { entity: 'EMAIL' }),
      match('PHONE', { entity: 'PHONE', confidence: 0.3 }),
    ];
    expect(rate(emails).level).toBe('LOW');
  });
});
