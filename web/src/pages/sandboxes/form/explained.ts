import {
  type GuardianAction,
  REPORTED_CODES,
  type RedactionStrategy,
  type Region,
  type RiskLevel,
  type SandboxType,
} from '#schemas/vocabulary.ts';

/** What each setting does, beside the field that sets it. */

const TYPES: Readonly<Record<SandboxType, string>> = {
  PII_DETECTION: 'Personal data and secrets.',
  BIAS_DETECTION: 'Unequal treatment of people, and flattery.',
  SECURITY_AUDIT: 'Attacks on systems, leaked secrets, and injected instructions.',
  PROMPT_INJECTION: 'Attempts to change what the model was told to do.',
  AGENT_SAFETY: 'Agents that loop, overreach or do what cannot be taken back.',
  HALLUCINATION_DETECTION: 'Invented sources, numbers and certainty.',
  CONTENT_POLICY: 'Violent, sexual, hateful and harmful content.',
  FINANCIAL_COMPLIANCE: 'Advice and conduct that financial law forbids.',
  LEGAL_COMPLIANCE: 'Legal advice, copyright and defamation.',
  FULL_SPECTRUM: 'Everything that there is.',
  CUSTOM: 'Your own rules.',
};

const CODES_SHOWN = 8;

export function typeText(type: SandboxType): string {
  // Another release may know more types.
  if (!Object.hasOwn(TYPES, type)) return '';
  const codes = REPORTED_CODES[type];
  const shown = codes.slice(0, CODES_SHOWN).join(', ');
  const rest = codes.length - CODES_SHOWN;
  const list = rest > 0 ? `${shown} and ${rest} more` : shown;
  return `${TYPES[type]} ${list === '' ? '' : `Reports ${list}. `}CSAM and your own rules are always reported.`;
}

export const ACTIONS: Readonly<Record<GuardianAction, string>> = {
  ALLOW_ALL: 'A scan lets everything through, and says what it found.',
  REDACT_AND_CONTINUE: 'A scan answers with a prompt whose finds are replaced.',
  BLOCK_ON_DETECT: 'A scan says that the prompt must not be sent.',
};

export const STRATEGIES: Readonly<Record<RedactionStrategy, string>> = {
  FULL: 'Replaced as a whole: [EMAIL_REDACTED].',
  PARTIAL:
    'Mostly masked: j***@example.org, the last four digits of a number. Secrets are replaced as a whole.',
  HASHED: 'By a short hash, the same for the same value: [EMAIL_1f2e3d4c].',
};

const REGION_NAMES: Readonly<Record<Region, string>> = {
  GLOBAL: 'no particular region',
  US: 'United States',
  EU: 'European Union',
  UK: 'United Kingdom',
  APAC: 'Asia and Pacific',
};

export const regionName = (region: Region): string =>
  Object.hasOwn(REGION_NAMES, region) ? `${region}, ${REGION_NAMES[region]}` : region;

export const thresholdText = (level: RiskLevel): string =>
  level === 'CRITICAL'
    ? 'Only signals of the level CRITICAL are alerts.'
    : `Signals from ${level} on are alerts. Below that, they are stored all the same.`;

export const RULES_TEXT =
  'Words are found as they are written, as whole words in any case. /…/flags is a pattern of JavaScript (flags i, m, s, u; no references, no look-around). A sentence, as “Do not promise refunds.”, is judged by a language model as well, in audits alone, where the service is set up with one.';

export const VALUES_TEXT =
  'Values that are not personal data, one on each line: not reported and not redacted. Numbers match with any separators, everything else but keys and passwords in upper and lower case. @example.com stands for all addresses of the domain, *.example.com for those of its subdomains. Versions and values are recorded in the ledger.';

export const CIDRS_TEXT =
  'Networks whose IP addresses are not personal data, such as 203.0.113.0/24 or 2001:db8::/32.';

export const PATTERNS_TEXT =
  'Regular expressions that match the whole of a value that is not personal data, one on each line.';

export const OFF_TEXT =
  'Their findings are not reported and not redacted. Another detector may still find the same characters. CSAM is always looked for.';

export const CONFIDENCE_TEXT =
  'Findings with less are not reported and not redacted: by detector, by type, or by default for all others.';
