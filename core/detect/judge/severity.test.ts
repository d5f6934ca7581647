import { describe, expect, test } from '#jest';
import { VIOLATION_CODES } from '#schemas/vocabulary.ts';
import type { Finding } from '../find/finding.ts';
import { BASE_LEVELS, rate } from './severity.ts';

const finding = (code: Finding['code'], more: Partial<Finding> = {}): Finding => ({
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
  test('every code has one', () => {
    expect(Object.keys(BASE_LEVELS).toSorted()).toEqual([...VIOLATION_CODES].toSorted());
  });
  test('nothing is LOW', () => {
    expect(rate([])).toEqual({ level: 'LOW', decidedBy: null, raised: null });
  });
  test('one kind of personal data in the prompt keeps its level', () => {
    const twice = [finding('EMAIL', { entity: 'EMAIL' }), finding('EMAIL', { entity: 'EMAIL', start: 5 })];
    expect(rate(twice)).toEqual({ level: 'LOW', decidedBy: 'EMAIL', raised: null });
    expect(rate([finding('SSN', { entity: 'SSN' })]).level).toBe('MEDIUM');
  });
  test('several kinds, or the response, raise by one level, together by one too', () => {
    const email = finding('EMAIL', { entity: 'EMAIL' });
    const card = finding('CREDIT_CARD', { entity: 'CREDIT_CARD', source: 'response' });
    expect(rate([email, finding('PHONE', { entity: 'PHONE' })])).toEqual({
      level: 'MEDIUM',
      decidedBy: 'EMAIL',
      raised: 'SEVERAL_KINDS',
    });
    expect(rate([{ ...email, source: 'response' }]).level).toBe('MEDIUM');
    expect(rate([email, card])).toEqual({ level: 'HIGH', decidedBy: 'CREDIT_CARD', raised: 'IN_RESPONSE' });
  });
  test('names alone stay LOW, in the response and in any number; next to other personal data they weigh like it', () => {
    const name = finding('PII_LEAK', { entity: 'PERSON', source: 'response' });
    expect(rate([name])).toEqual({ level: 'LOW', decidedBy: 'PII_LEAK', raised: null });
    expect(rate([name, { ...name, start: 9 }, { ...name, source: 'prompt' }]).level).toBe('LOW');
    expect(rate([name, finding('PHONE', { entity: 'PHONE', confidence: 0.3 })]).level).toBe('LOW');
    expect(rate([name, finding('PHONE', { entity: 'PHONE' })])).toMatchObject({
      level: 'MEDIUM',
      raised: 'IN_RESPONSE',
    });
    expect(rate([finding('PII_LEAK', { entity: 'ADDRESS', source: 'response' })]).level).toBe('MEDIUM');
  });
  test('two kinds under one code are two kinds', () => {
    const name = finding('PII_LEAK', { entity: 'PERSON' });
    expect(rate([name, finding('PII_LEAK', { entity: 'ADDRESS' })]).level).toBe('MEDIUM');
    expect(rate([finding('PII_LEAK', { entity: 'DRIVER_LICENSE' })]).level).toBe('MEDIUM');
  });
  test('secrets and attacks are HIGH and are not raised by the response', () => {
    expect(rate([finding('SECRET_LEAK', { entity: 'API_KEY', source: 'response' })]).level).toBe('HIGH');
    expect(rate([finding('JAILBREAK_ATTEMPT')]).level).toBe('HIGH');
  });
  test('dangerous instructions that are given, and CSAM, are CRITICAL', () => {
    expect(rate([finding('DANGEROUS_INSTRUCTIONS')]).level).toBe('HIGH');
    expect(rate([finding('DANGEROUS_INSTRUCTIONS', { source: 'response' })]).level).toBe('CRITICAL');
    expect(rate([finding('CSAM', { confidence: 0.1 })]).level).toBe('CRITICAL');
  });
  test('a hint is LOW and raises nothing', () => {
    const hint = finding('SECRET_LEAK', { entity: 'API_KEY', confidence: 0.4 });
    expect(rate([hint]).level).toBe('LOW');
    const emails = [
      finding('EMAIL', { entity: 'EMAIL' }),
      finding('PHONE', { entity: 'PHONE', confidence: 0.3 }),
    ];
    expect(rate(emails).level).toBe('LOW');
  });
});
