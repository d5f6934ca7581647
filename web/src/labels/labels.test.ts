import { describe, expect, test } from '#jest';
import type { ChainFault } from '#schemas/api/evidence/hash-chain.ts';
import { openApi } from '#schemas/api/openapi/openapi.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { explanationText, withLabels } from './explanation.ts';
import { incidentTitle } from './incident-title.ts';
import { inSentence, LABELS, label, regulationLabel, violationsText } from './label.ts';

const CONSTANT = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

/** Chain faults have a sentence each, on their page. */
const IN_SENTENCES: readonly ChainFault['reason'][] = [
  'MODIFIED',
  'MISSING',
  'EXTRA',
  'REORDERED',
  'ROOT_MISMATCH',
  'CHAIN_LINK',
  'SIGNATURE',
  'ROLLBACK',
  'NOT_ERASED',
  'DERIVED_CHANGED',
  'DAMAGED',
  'DOCUMENT_CHANGED',
];

/** Every value of every enumeration in a JSON document. */
function enumValues(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = 'enum' in json && Array.isArray(json.enum) ? json.enum : [];
  return [...own.filter((one) => typeof one === 'string'), ...Object.values(json).flatMap(enumValues)];
}

const all = Object.entries(LABELS).flatMap(([kind, labels]) =>
  Object.entries(labels).map(([code, text]) => ({ kind, code, text })),
);

describe('labels', () => {
  test('exist for every constant that the API serves to customers', () => {
    const contracts = ROUTES.filter(({ auth }) => auth !== 'internal');
    const served = enumValues(openApi(contracts, { keyHeader: 'x-service-key' }));
    const constants = [...new Set(served)].filter((code) => CONSTANT.test(code));
    expect(constants).toContain('PROMPT_INJECTION');
    const known = new Set<string>([...all.map(({ code }) => code), ...IN_SENTENCES]);
    expect(constants.filter((code) => !known.has(code))).toEqual([]);
  });

  test('are words, and differ within a kind', () => {
    expect(all.filter(({ text }) => /[A-Z]_[A-Z]/.test(text) || text.trim() !== text || text === '')).toEqual(
      [],
    );
    for (const labels of Object.values(LABELS))
      expect(new Set(Object.values(labels)).size).toBe(Object.keys(labels).length);
  });

  test('of a code from a newer release are that code in words', () => {
    expect(label('patternType', 'SLOW_LEAK')).toBe('Slow leak');
    expect(label('detector', 'new-detector')).toBe('New detector');
    expect(label('riskLevel', 'constructor')).toBe('Constructor');
  });

  test('start in lower case within a sentence unless they are abbreviations', () =>
    expect(['Card number', 'DPO', 'IP address', 'Fraud'].map(inSentence)).toEqual([
      'card number',
      'DPO',
      'IP address',
      'fraud',
    ]));

  test('of regulations keep codes that the service does not know', () =>
    expect(['EU_AI_ACT', 'LGPD', 'NIST_800'].map(regulationLabel)).toEqual([
      'EU AI Act',
      'LGPD',
      'NIST 800',
    ]));

  test('of a signal without violations is Clean', () =>
    expect([violationsText([]), violationsText(['SSN', 'FRAUD'])]).toEqual([
      'Clean',
      'Social security number, Fraud',
    ]));
});

describe('a stored explanation', () => {
  test('says in words what decided the level', () => {
    expect(
      explanationText(
        'Risk is HIGH because of HEALTH_DATA; raised one level because several kinds of personal data appear together. ' +
          'Detected in the prompt: EMAIL j***@example.com, [SSN_REDACTED] and 2 more. Reported: HEALTH_DATA, EMAIL. ' +
          'Relevant regulations: GDPR, EU_AI_ACT.',
      ),
    ).toBe(
      'High because of health data; raised one level because several kinds of personal data appear together. ' +
        'Detected in the prompt: email address j***@example.com, [SSN_REDACTED] and 2 more. ' +
        'Reported: health data, email address. Relevant regulations: GDPR, EU AI Act.',
    );
    expect(explanationText('Risk is LOW because of EMAIL.')).toBe('Low because of an email address.');
  });

  test('keeps masked values and words that are not codes', () =>
    expect(withLabels('Found: PHONE ***-***-0123, API_KEY_X, URL HIGH*, see ISO.')).toBe(
      'Found: phone number ***-***-0123, API_KEY_X, URL HIGH*, see ISO.',
    ));
});

describe('the title of an incident', () => {
  test('is in words when the service composed it', () => {
    expect(incidentTitle('HIGH signal: SSN, FRAUD', 'HIGH', ['SSN', 'FRAUD'])).toBe(
      'High-risk signal: social security number, fraud',
    );
    expect(incidentTitle('LOW signal', 'LOW', [])).toBe('Low-risk signal');
    expect(
      incidentTitle('Policy breached: CREDIT_CARD, LOW or above, more than 0 in 30 days', 'HIGH', [
        'CREDIT_CARD',
      ]),
    ).toBe('Policy breached: card number, Low or above, more than 0 in 30 days');
  });

  test('stays unchanged when a person wrote it', () =>
    expect(incidentTitle('HIGH priority: SSN', 'HIGH', ['SSN'])).toBe('HIGH priority: SSN'));
});
