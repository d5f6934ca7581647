import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { EVIDENCE_TYPES, FRAMEWORKS, RISK_LEVELS, VIOLATION_CODES } from '#schemas/vocabulary.ts';
import { CATALOGUES } from './catalogues.ts';
import { CHECKS } from './checks.ts';
import groups from './code-groups.json' with { type: 'json' };

const FOLDER = path.join(packageRoot(), 'core/evidence/frameworks/controls');

const code = z.enum(VIOLATION_CODES as readonly [string, ...string[]]);
const codes = {
  groups: z
    .array(z.enum(['ALL', ...Object.keys(groups)]))
    .min(1)
    .optional(),
  codes: z.array(code).min(1).optional(),
};
const control = z
  .strictObject({
    id: z.string().min(1).max(48),
    title: z.string().min(10).max(120),
    evidenceType: z.enum(EVIDENCE_TYPES),
    ...codes,
    togetherWith: z.strictObject(codes).optional(),
    detectors: z.array(z.string()).min(1).optional(),
    minRiskLevel: z.enum(RISK_LEVELS).extract(['HIGH']).optional(),
    checks: z
      .array(z.enum(Object.keys(CHECKS)))
      .min(1)
      .optional(),
    appliesFrom: z.iso.date().optional(),
    weight: z.int().min(1).max(3),
  })
  .refine(
    ({ evidenceType, checks }) => (evidenceType === 'VIOLATION') === (checks === undefined),
    'checks belong to operational evidence',
  )
  .refine(
    (one) => (one.evidenceType === 'OPERATIONAL') === (one.groups === undefined && one.codes === undefined),
    'codes belong to evidence from violations',
  );
const catalogue = z.strictObject({
  framework: z.enum(FRAMEWORKS),
  name: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  controls: z.array(control),
});

const files = readdirSync(FOLDER);

test.each(files)('%s is a valid catalogue, and only names things that exist', (file) => {
  const stored = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));
  const { framework, controls } = catalogue.parse(stored);
  expect(file).toBe(`${framework}.json`);
  expect(new Set(controls.map(({ id }) => id)).size).toBe(controls.length);
  expect(new Set(controls.map(({ title }) => title)).size).toBe(controls.length);
});

test('groups of codes name codes of the vocabulary', () => {
  expect(z.record(z.string(), z.array(code).min(1)).parse(groups)).toEqual(groups);
});

test('every framework has its controls', () => {
  expect(CATALOGUES.map(({ framework, controls }) => [framework, controls.length])).toEqual([
    ['GDPR', 15],
    ['SOC2', 14],
    ['ISO27001', 14],
    ['HIPAA', 14],
    ['CCPA', 11],
    ['EU_AI_ACT', 15],
    ['PCI_DSS', 14],
  ]);
});

test('controls of the AI Act have their start date as data', () => {
  for (const { framework, controls } of CATALOGUES)
    for (const { appliesFrom } of controls) expect(appliesFrom !== null).toBe(framework === 'EU_AI_ACT');
});

describe('mappings', () => {
  const mappingOf = (framework: string, id: string) =>
    CATALOGUES.find((one) => one.framework === framework)!.controls.find((one) => one.id === id)!.mapping;

  test('a group expands to its codes, in the order of the vocabulary', () => {
    expect(mappingOf('GDPR', 'Art. 9(1)')?.codes).toEqual(['HEALTH_DATA', 'RACIAL_BIAS', 'RELIGIOUS_BIAS']);
    expect(mappingOf('CCPA', 'Civ. Code 1798.100(c)')?.codes).toEqual([
      'PII_LEAK',
      'EMAIL',
      'SSN',
      'PHONE',
      'PASSPORT',
    ]);
    expect(mappingOf('SOC2', 'CC7.2')?.codes).toEqual(VIOLATION_CODES);
  });

  test('are narrower where the framework is', () => {
    expect(mappingOf('GDPR', 'Art. 22(1)')?.highOnly).toBe(true);
    expect(mappingOf('HIPAA', '164.502(b)')).toMatchObject({
      codes: ['HEALTH_DATA'],
      togetherWith: ['PII_LEAK', 'EMAIL', 'SSN', 'PHONE', 'PASSPORT'],
    });
    expect(mappingOf('PCI_DSS', '3.3.1.2')?.detectors).toEqual(['cvv']);
    expect(mappingOf('PCI_DSS', '10.3.4')).toBeNull();
  });
});
