import fc from 'fast-check';
import type { SignalRow } from '#schemas/tables/tables.ts';

const CONTROLS = ['\0', '\t', '\r', '\n', '\r\n', '\x01', '\x0b', '\x1f', '\x7f'];
const PIECES = [
  ...CONTROLS,
  ...['"', '""', "'", ',', ';', '=', '+', '-', '@', '\\', '\\N', '/', '<b>', '&amp;', '_x0041_', '_'],
  ...['a', '0', 'ab12', ' ', 'ż', '漢', '😀', '\u2028', '\ufeff', '\ufffe', '=1+1', '@SUM(A1)', 'null'],
  ...['＝', '＋', '－', '＠', ';=1+1', '; @A1', ';"+1', '\t-1', '\r\n＝1', '\u00a0'],
];

/** Texts that a format might get wrong; some start like a formula. */
export const awkwardText = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 8 })
  .map((parts) => parts.join(''));

const count = fc.option(fc.constantFrom(0, 1, 2 ** 31, 2 ** 53 - 1), { nil: null });
const number = fc.constantFrom(0, 1, 0.1, 1e-7, 1e-6, 12.25, 0.30000000000000004, 123456.789, 5e-324, 1e20);

/** Detections with their confidences, as rows hold them: none, from an earlier release, from a new one. */
const found: fc.Arbitrary<Partial<SignalRow>> = fc.constantFrom(
  { v: 2, detections: '[]', confidences: [] },
  { v: 2, detections: '[{"code":"EMAIL","count":1,"detector":"email","version":2}]', confidences: [] },
  {
    v: 4,
    detections:
      '[{"code":"EMAIL","count":2,"detector":"email","version":2},{"code":"CUSTOM_RULE","count":1,"detector":"custom-rules","ruleIndex":0,"version":3}]',
    confidences: [0.30000000000000004, 1],
  },
  { v: 4, detections: '[]', confidences: [] },
);

const columns: fc.Arbitrary<Partial<SignalRow>> = fc.record({
  provider: fc.constantFrom('openai', 'gemini'),
  model: awkwardText.map((text) => `${text}x`),
  riskLevel: fc.constantFrom('LOW', 'MEDIUM', 'HIGH', 'CRITICAL'),
  violations: fc.constantFrom([], ['EMAIL'], ['EMAIL', 'SSN'], ['CUSTOM_RULE']),
  regulation: fc.constantFrom([], ['GDPR'], ['GDPR', 'EU_AI_ACT']),
  region: fc.constantFrom('GLOBAL', 'EU'),
  piiDetected: fc.boolean(),
  confidence: fc.constantFrom(0, 1, 0.5, 0.1, 0.123456789),
  reasoning: fc.option(awkwardText, { nil: null }),
  promptTokens: count,
  outputTokens: count,
  hasThinkingBlock: fc.boolean(),
  durationMs: number,
  policyVersion: fc.option(fc.constantFrom('3.1', '-1', ''), { nil: null }),
  alert: fc.boolean(),
});

/** Possible contents of signals, apart from their position. */
export const awkwardSignal: fc.Arbitrary<Partial<SignalRow>> = fc
  .tuple(columns, found)
  .map(([row, detections]) => ({ ...row, ...detections }));
