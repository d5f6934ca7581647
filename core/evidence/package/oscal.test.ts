import { expect, test } from '#jest';
import type { Attestation } from '#schemas/api/evidence/attestations.ts';
import { CATALOGUES } from '../frameworks/catalogues.ts';
import { assessmentResults, tokenOf } from './oscal.ts';

const BASIS = {
  customerId: '01993d5a-7c00-7000-8000-0000000000c1',
  framework: 'GDPR',
  periodStart: '2026-01-01T00:00:00.000Z',
  periodEnd: '2026-06-30T23:59:59.999Z',
  includeIncidents: true,
  includeHashChain: true,
  generatedAt: '2026-07-01T08:00:00.000Z',
  treeSize: 7,
  rootHash: 'ab'.repeat(32),
  catalogueVersion: '1.0.0',
  scope: 'ALL',
} as const;
const attestation = (controlId: string, status: string): Attestation =>
  ({
    framework: 'GDPR',
    controlId,
    title: 'keep it safe',
    status,
    reason: 'said so',
    scope: 'ALL',
    signalCount: 3,
    violationCount: 1,
    openIncidents: 0,
    generatedAt: BASIS.generatedAt,
  }) as Attestation;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TOKEN = /^[a-z_][a-z0-9._-]*$/;

const made = assessmentResults(BASIS, [
  attestation('Art. 5(1)(f)', 'OPEN'),
  attestation('Art. 9(1)', 'CLEAR'),
]);
// biome-ignore lint/suspicious/noExplicitAny: a document of another standard, looked at here and there
const { 'assessment-results': document } = made as any;

test('conforms to OSCAL assessment results', () => {
  expect(document.metadata).toMatchObject({ 'oscal-version': '1.1.3', 'last-modified': BASIS.generatedAt });
  expect(document['import-ap'].href).toBe(`#${document['back-matter'].resources[0].uuid}`);
  const [result] = document.results;
  expect(result).toMatchObject({ start: BASIS.periodStart, end: BASIS.periodEnd });
  const ids = [
    document.uuid,
    result.uuid,
    ...[...result.observations, ...result.findings].map(({ uuid }) => uuid),
  ];
  for (const id of ids) expect(id).toMatch(UUID);
  expect(new Set(ids).size).toBe(ids.length);
  const [{ 'include-controls': controls }] = result['reviewed-controls']['control-selections'];
  for (const control of controls) expect(control['control-id']).toMatch(TOKEN);
});

test('has an observation for every control, a finding where something is open, and never claims that a control is met', () => {
  const [{ observations, findings }] = document.results;
  expect(observations).toHaveLength(2);
  expect(findings).toMatchObject([
    {
      target: { 'target-id': 'gdpr.art.5-1-f', status: { state: 'not-satisfied', reason: 'fail' } },
      'related-observations': [{ 'observation-uuid': observations[0].uuid }],
    },
  ]);
  expect(JSON.stringify(made)).not.toContain('"satisfied"');
});

test('gives every control of every catalogue a unique id', () => {
  const tokens = CATALOGUES.flatMap(({ framework, controls }) =>
    controls.map((control) => tokenOf(framework, control.id)),
  );
  expect(new Set(tokens).size).toBe(tokens.length);
  for (const token of tokens) expect(token).toMatch(TOKEN);
});

test('names its properties by an address with a host, as OSCAL readers require', () => {
  const [{ observations }] = document.results;
  for (const { ns } of observations[0].props) expect(new URL(ns).host).not.toBe('');
});

test('is the same for the same input, and differs for another checkpoint', () => {
  const again = [attestation('Art. 5(1)(f)', 'OPEN'), attestation('Art. 9(1)', 'CLEAR')];
  expect(assessmentResults(BASIS, again)).toEqual(made);
  const { uuid } = (assessmentResults({ ...BASIS, treeSize: 8 }, again) as never)['assessment-results'] as {
    uuid: string;
  };
  expect(uuid).not.toBe(document.uuid);
});
