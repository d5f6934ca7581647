import { describe, expect, test } from '#jest';
import { attest } from './attest.ts';
import { attestationId } from './attestation-id.ts';
import { CATALOGUES, type Control } from './catalogues.ts';
import { CHECKS, type CheckInput, type CheckName, combined } from './checks.ts';
import { type LedgerFacts, type MappedFacts, NO_INCIDENTS, type ScopeFacts } from './facts.ts';
import { incidentFacts, isMapped } from './mapped-signals.ts';

const AT = Date.parse('2026-11-20T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const none = { signals: 0, high: 0 };
const scope: ScopeFacts = {
  scope: 'ALL',
  signals: 1_000,
  high: 10,
  withoutOrigin: 0,
  personal: 0,
  redacted: 0,
  newer: none,
  older: none,
  byCode: new Map(),
  providers: [],
  sandboxes: [],
  incidents: NO_INCIDENTS,
};
const ledger: LedgerFacts = {
  verifiedEntries: 0,
  brokenAt: null,
  rehashedAt: null,
  auditorCalls: 0,
  checkpointAt: AT,
  packages: 0,
  policies: 0,
  retentionPolicies: [],
  retentionErasures: 0,
  askedErasures: 0,
};
const NOTHING: ScopeFacts = { ...scope, signals: 0, high: 0 };

interface Changed {
  readonly scope?: Partial<ScopeFacts>;
  readonly ledger?: Partial<LedgerFacts>;
  readonly mapped?: Partial<CheckInput['mapped']>;
}
const outcomeOf = (name: CheckName, changed: Changed = {}): string => {
  const whole = { ...scope, ...changed.scope };
  const input = {
    scope: whole,
    ledger: { ...ledger, ...changed.ledger },
    mapped: { ...whole, ...changed.mapped },
  };
  return CHECKS[name](input).outcome;
};
const redacting = { guardianAction: 'REDACT_AND_CONTINUE', redactionStrategy: 'PARTIAL' } as const;
const open = { guardianAction: 'ALLOW_ALL', redactionStrategy: 'FULL' } as const;
const hashing = { guardianAction: 'BLOCK_ON_DETECT', redactionStrategy: 'HASHED' } as const;
const provider = { provider: 'openai', signals: 10, violating: 1, personal: 1 };
const incident = (status: string, signalId = 'one', isHigh = true) => ({
  signalId,
  status,
  isHigh,
  openedAt: AT,
  judgedAt: null,
});
const judged = (afterHours: number | null) => ({
  ...incident('INVESTIGATING'),
  openedAt: AT - 100 * HOUR_MS,
  judgedAt: afterHours === null ? null : AT + (afterHours - 100) * HOUR_MS,
});
const incidentsOf = (...incidents: Parameters<typeof incidentFacts>[0]) => incidentFacts(incidents, AT);

const CASES: readonly [CheckName, Changed, string][] = [
  ['signalsRecorded', {}, 'PASS'],
  ['signalsRecorded', { scope: { signals: 0 } }, 'NO_EVIDENCE'],
  ['chainVerified', {}, 'NO_EVIDENCE'],
  ['chainVerified', { ledger: { verifiedEntries: 5 } }, 'PASS'],
  ['chainVerified', { ledger: { verifiedEntries: 5, brokenAt: 3 } }, 'FAIL'],
  ['auditorAccessLogged', {}, 'NO_EVIDENCE'],
  ['auditorAccessLogged', { ledger: { auditorCalls: 1 } }, 'PASS'],
  ['retentionFloors', {}, 'NO_EVIDENCE'],
  ['retentionFloors', { ledger: { retentionPolicies: [{ framework: null, retentionDays: 1 }] } }, 'PASS'],
  [
    'retentionFloors',
    { ledger: { retentionPolicies: [{ framework: 'HIPAA', retentionDays: 2_190 }] } },
    'PASS',
  ],
  [
    'retentionFloors',
    { ledger: { retentionPolicies: [{ framework: 'HIPAA', retentionDays: 2_189 }] } },
    'FAIL',
  ],
  ['retentionRuns', {}, 'NO_EVIDENCE'],
  [
    'retentionRuns',
    { ledger: { retentionPolicies: [{ framework: null, retentionDays: 1 }] } },
    'NO_EVIDENCE',
  ],
  ['retentionRuns', { ledger: { retentionErasures: 1 } }, 'PASS'],
  ['erasureReceipts', {}, 'NO_EVIDENCE'],
  ['erasureReceipts', { ledger: { askedErasures: 1 } }, 'PASS'],
  ['policyReports', {}, 'NO_EVIDENCE'],
  ['policyReports', { ledger: { policies: 1 } }, 'PASS'],
  ['packagesBuilt', {}, 'NO_EVIDENCE'],
  ['packagesBuilt', { ledger: { packages: 1 } }, 'PASS'],
  ['chainReverified', {}, 'NO_EVIDENCE'],
  ['chainReverified', { ledger: { rehashedAt: AT - 47 * HOUR_MS } }, 'PASS'],
  ['chainReverified', { ledger: { rehashedAt: AT + HOUR_MS } }, 'PASS'],
  ['chainReverified', { ledger: { rehashedAt: AT - 49 * HOUR_MS } }, 'FAIL'],
  ['originRecorded', {}, 'PASS'],
  ['originRecorded', { scope: { withoutOrigin: 1 } }, 'FAIL'],
  ['originRecorded', { scope: { signals: 0 } }, 'NO_EVIDENCE'],
  ['sandboxesProtect', {}, 'NO_EVIDENCE'],
  ['sandboxesProtect', { scope: { sandboxes: [redacting, hashing] } }, 'PASS'],
  ['sandboxesProtect', { scope: { sandboxes: [redacting, open] } }, 'FAIL'],
  ['personalDataRedacted', {}, 'NO_EVIDENCE'],
  ['personalDataRedacted', { scope: { personal: 4, redacted: 4 } }, 'PASS'],
  ['personalDataRedacted', { scope: { personal: 4, redacted: 3 } }, 'FAIL'],
  ['cardNumbersMasked', {}, 'NO_EVIDENCE'],
  ['cardNumbersMasked', { scope: { sandboxes: [redacting] } }, 'PASS'],
  ['cardNumbersMasked', { scope: { sandboxes: [open] } }, 'FAIL'],
  ['keyedHashes', { scope: { sandboxes: [redacting] } }, 'NO_EVIDENCE'],
  ['keyedHashes', { scope: { sandboxes: [redacting, hashing] } }, 'PASS'],
  ['providerRates', {}, 'NO_EVIDENCE'],
  ['providerRates', { scope: { providers: [provider] } }, 'PASS'],
  ['highRiskTrend', {}, 'NO_EVIDENCE'],
  ['highRiskTrend', { scope: { newer: { signals: 100, high: 3 } } }, 'NO_EVIDENCE'],
  [
    'highRiskTrend',
    { scope: { older: { signals: 100, high: 2 }, newer: { signals: 100, high: 3 } } },
    'PASS',
  ],
  [
    'highRiskTrend',
    { scope: { older: { signals: 1_000, high: 20 }, newer: { signals: 1_000, high: 60 } } },
    'FAIL',
  ],
  [
    'highRiskTrend',
    { scope: { older: { signals: 10, high: 10 }, newer: { signals: 10, high: 10 } } },
    'PASS',
  ],
  [
    'mappedTrend',
    {
      scope: { older: { signals: 1_000, high: 0 }, newer: { signals: 1_000, high: 0 } },
      mapped: { older: { signals: 10, high: 0 }, newer: { signals: 90, high: 0 } },
    },
    'FAIL',
  ],
  ['incidentsOpened', {}, 'NO_EVIDENCE'],
  ['incidentsOpened', { mapped: { high: 1, incidents: incidentsOf(incident('OPEN')) } }, 'PASS'],
  ['incidentsOpened', { mapped: { high: 2, incidents: incidentsOf(incident('OPEN')) } }, 'FAIL'],
  ['incidentsTriaged', {}, 'NO_EVIDENCE'],
  ['incidentsTriaged', { mapped: { incidents: incidentsOf(incident('OPEN')) } }, 'NO_EVIDENCE'],
  ['incidentsTriaged', { mapped: { incidents: incidentsOf(judged(72), incident('OPEN')) } }, 'PASS'],
  ['incidentsTriaged', { mapped: { incidents: incidentsOf(judged(72), judged(73)) } }, 'FAIL'],
  ['incidentsTriaged', { mapped: { incidents: incidentsOf(judged(1), judged(null)) } }, 'FAIL'],
  ['incidentsVerified', {}, 'NO_EVIDENCE'],
  ['incidentsVerified', { mapped: { incidents: incidentsOf(incident('RESOLVED')) } }, 'NO_EVIDENCE'],
  ['incidentsVerified', { mapped: { incidents: incidentsOf(incident('VERIFIED')) } }, 'PASS'],
];

describe('checks', () => {
  test.each(CASES)('%s of %j: %s', (name, changed, expected) => {
    expect(outcomeOf(name, changed)).toBe(expected);
  });

  test('without records never pass, and give the reason', () => {
    const NOT_RECORDED: readonly CheckName[] = ['noticeDeadlines', 'disclosureMade'];
    const tried = new Set(CASES.map(([name]) => name));
    expect(
      Object.keys(CHECKS)
        .filter((name) => !tried.has(name as CheckName))
        .sort(),
    ).toEqual([...NOT_RECORDED].sort());
    for (const name of NOT_RECORDED) {
      const { outcome, reason } = CHECKS[name]({ scope, ledger, mapped: scope });
      expect([name, outcome, reason.length > 20]).toEqual([name, 'NO_EVIDENCE', true]);
    }
  });

  test('of a control are combined: a failed one first, then one without evidence', () => {
    const [passed, failed, unknown] = (['PASS', 'FAIL', 'NO_EVIDENCE'] as const).map((outcome) => ({
      outcome,
      reason: outcome,
    }));
    expect(combined([passed!, unknown!, failed!])).toBe(failed);
    expect(combined([passed!, unknown!])).toBe(unknown);
    expect(combined([passed!])).toBe(passed);
    expect(combined([])).toBeNull();
  });

  test('never pass for any control without signals', () => {
    for (const { controls } of CATALOGUES)
      for (const control of controls)
        expect(attest(control, NOTHING, null, { ...ledger, verifiedEntries: 1 })).toMatchObject({
          status: 'NO_EVIDENCE',
          signalCount: 0,
        });
  });
});

describe('incidents', () => {
  test('are counted by their status, and signals once, however many incidents they have', () => {
    const facts = incidentsOf(
      incident('OPEN', 'a'),
      incident('CLOSED', 'a'),
      incident('INVESTIGATING', 'b'),
      incident('REMEDIATING', 'c', false),
      incident('DISMISSED', 'd'),
    );
    expect(facts).toMatchObject({
      incidents: 5,
      open: 3,
      verified: 1,
      highWithIncident: 3,
      highAddressed: 2,
    });
  });
});

describe('a signal counts against a control', () => {
  const mapping = {
    codes: ['HEALTH_DATA'],
    togetherWith: ['EMAIL', 'PHONE'],
    detectors: ['cvv'],
    highOnly: true,
  } as const;
  const signal = { riskLevel: 'HIGH', violations: ['HEALTH_DATA', 'PHONE'], detectors: ['cvv', 'email'] };
  test('if all conditions of the control match', () => {
    expect(isMapped(mapping, signal)).toBe(true);
    expect(isMapped(mapping, { ...signal, riskLevel: 'MEDIUM' })).toBe(false);
    expect(isMapped(mapping, { ...signal, violations: ['HEALTH_DATA'] })).toBe(false);
    expect(isMapped(mapping, { ...signal, violations: ['PHONE'] })).toBe(false);
    expect(isMapped(mapping, { ...signal, detectors: ['email'] })).toBe(false);
  });
});

test('an attestation counts only its own codes, in the order of the vocabulary', () => {
  const control: Control = {
    id: 'X',
    title: 'x',
    evidenceType: 'VIOLATION',
    mapping: { codes: ['EMAIL', 'PHONE', 'SSN'], togetherWith: [], detectors: [], highOnly: false },
    checks: [],
    appliesFrom: null,
    weight: 1,
  };
  const mapped: MappedFacts = {
    signals: 5,
    high: 1,
    newer: none,
    older: none,
    byCode: new Map([
      ['PHONE', 2],
      ['EMAIL', 4],
      ['XSS', 9],
    ]),
    sampleSignalIds: ['s'],
    incidents: NO_INCIDENTS,
  };
  const attested = attest(control, scope, mapped, ledger);
  expect(JSON.stringify(attested.violationsByCode)).toBe('{"EMAIL":4,"PHONE":2}');
  expect(attested).toMatchObject({ status: 'OPEN', violationCount: 5, signalCount: 1_000, scope: 'ALL' });
  const incidents = incidentsOf(incident('RESOLVED'));
  expect(attest(control, scope, { ...mapped, incidents }, ledger).status).toBe('ADDRESSED');
});

test('ids are UUIDs of version 8, and equal for equal input', () => {
  const id = attestationId({ a: 1, b: null });
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(attestationId({ b: null, a: 1 })).toBe(id);
  expect(attestationId({ b: null, a: 2 })).not.toBe(id);
});
