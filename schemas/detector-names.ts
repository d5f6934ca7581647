import { ENTITY_TYPES } from './vocabulary.ts';

/**
 * The names of all detectors, used by findings, signals and sandbox settings.
 * `core/detect/find/search/detectors.test.ts` compares them with the detectors that run.
 */
export const DETECTOR_NAMES = [
  'agent-loop',
  'agent-loop-phrases',
  'announced-prompt',
  'bank-account',
  'bias',
  'bias-decisions',
  'biometric-id',
  'command-injection',
  'copyright',
  'credentials',
  'credit-card',
  'crypto-wallet',
  'csam',
  'csrf',
  'cvv',
  'cvv-behind-card',
  'dangerous-answers',
  'dangerous-requests',
  'date-of-birth',
  'device-id',
  'driver-license',
  'email',
  'email-in-words',
  'fake-citation',
  'financial-misconduct',
  'fraud',
  'goal-hijacking',
  'harassment',
  'hate-speech',
  'health-insurance-id',
  'health-mention',
  'high-entropy',
  'iban',
  'injection-phrases',
  'interpreter-injection',
  'investment-advice',
  'ip-address',
  'irreversible-actions',
  'labelled-ssn',
  'leaked-prompt',
  'legal',
  'mac-address',
  'markup-fragment',
  'medical-record-number',
  'medicare-id',
  'named-session-token',
  'names-and-addresses',
  'national-id',
  'national-id-shapes',
  'passport',
  'phone',
  'phone-field',
  'prescription-number',
  'private-key',
  'privilege-escalation',
  'provider-keys',
  'request-credentials',
  'request-fields',
  'scope-creep',
  'seed-phrase',
  'self-harm',
  'session-token',
  'sexual-content',
  'sql-fragment',
  'sql-injection',
  'ssn',
  'ssrf',
  'sycophancy',
  'text-model',
  'travel-document',
  'unsupported-claims',
  'violence',
  'xss',
] as const;

/** Finds sexual material that mentions a minor. No setting suppresses its matches. */
const ALWAYS_ON = 'csam';

/** Detectors that a sandbox can switch off, and whose minimum confidence it can set. */
export const ADJUSTABLE_DETECTORS: readonly string[] = DETECTOR_NAMES.filter((name) => name !== ALWAYS_ON);

/** The key in a sandbox's `minConfidence` for everything without its own key. */
export const OTHER_FINDINGS = 'default';

/** Keys of a sandbox's `minConfidence`. */
export const CONFIDENCE_NAMES: readonly string[] = [
  OTHER_FINDINGS,
  ...ENTITY_TYPES.filter((type) => type !== 'CUSTOM_RULE'),
  ...ADJUSTABLE_DETECTORS,
];
