import type { PackageVerdict } from '#core/evidence/package/verify-package.ts';
import { describe, expect, test } from '#jest';
import {
  checkpointRows,
  packageRows,
  progressOf,
  stepsAtEnd,
  stepsInProgress,
  stepsStopped,
} from './report.ts';

const VERDICT = {
  manifest: {
    framework: 'GDPR',
    periodStart: '2026-01-01T00:00:00.000Z',
    periodEnd: '2026-06-30T23:59:59.999Z',
    customerId: 'customer',
    scope: 'ALL',
    includeIncidents: true,
    includeHashChain: true,
    generatedAt: '2026-07-01T08:00:00.000Z',
  },
  checkpoint: {
    origin: 'ledger.example/customer',
    size: 1_234_567,
    root: Buffer.alloc(32, 0xab),
    chainHead: Buffer.alloc(32),
    epoch: null,
  },
  counts: { signals: 12_000, incidents: 3, attestations: 15, areRecounted: true },
  faults: [],
  facts: [],
} as unknown as PackageVerdict;
const FAULT = { file: 'signals.ndjson', reason: 'it was changed' };
const states = (lines: readonly { readonly state: string }[]): string[] => lines.map(({ state }) => state);

describe('steps', () => {
  test('are shown before the first, in the middle, and where it was stopped', () => {
    expect(states(stepsInProgress(null))).toEqual(Array(7).fill('waiting'));
    expect(states(stepsInProgress('files'))).toEqual([
      'passed',
      'passed',
      'running',
      ...Array(4).fill('waiting'),
    ]);
    expect(states(stepsStopped('files'))).toEqual(['passed', 'passed', ...Array(5).fill('not checked')]);
  });

  test('at the end are all passed, or none after the failed one', () => {
    expect(states(stepsAtEnd('attestations', VERDICT))).toEqual(Array(7).fill('passed'));
    const refused = { ...VERDICT, faults: [FAULT] };
    expect(states(stepsAtEnd('chain', refused))).toEqual([
      ...Array(4).fill('passed'),
      'failed',
      ...Array(2).fill('not checked'),
    ]);
    expect(states(stepsAtEnd('archive', { ...refused, manifest: null }))[0]).toBe('failed');
  });

  test('are never called passed for parts that a package omits or that cannot be counted again', () => {
    const without = {
      ...VERDICT,
      manifest: { ...VERDICT.manifest!, includeHashChain: false },
      counts: { ...VERDICT.counts!, areRecounted: false },
    };
    const lines = stepsAtEnd('attestations', without);
    expect(states(lines)).toEqual([...Array(4).fill('passed'), 'left out', 'passed', 'left out']);
    expect(lines[5]!.text).not.toContain('chain');
  });
});

test('shows the numbers counted, and no checkpoint without one', () => {
  expect(checkpointRows(VERDICT)).toEqual([
    ['Ledger', 'ledger.example/customer'],
    ['Size', '1,234,567 entries'],
    ['Root hash', 'ab'.repeat(32)],
    ['Signed at', '2026-07-01T08:00:00.000Z'],
  ]);
  expect(packageRows(VERDICT)).toContainEqual(['Signals', '12,000']);
  const without = { ...VERDICT, manifest: { ...VERDICT.manifest!, includeIncidents: false } };
  expect(packageRows(without)).toContainEqual(['Incidents', 'not included']);
  const none = { ...VERDICT, checkpoint: null, counts: null };
  expect([checkpointRows(none), packageRows(none)]).toEqual([[], []]);
});

test('progress never passes its end', () => {
  expect([progressOf(0, 100), progressOf(100, 100), progressOf(500, 100), progressOf(0, 0)]).toEqual([
    0, 0.5, 1, 1,
  ]);
});
