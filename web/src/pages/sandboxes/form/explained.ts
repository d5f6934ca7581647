import { OTHER_FINDINGS } from '#schemas/detector-names.ts';
import {
  type GuardianAction,
  REPORTED_CODES,
  type RedactionStrategy,
  type RiskLevel,
  type SandboxType,
} from '#schemas/vocabulary.ts';
import { inSentence, LABELS, label } from '../../../labels/label.ts';

/** What each setting does, next to its field. */

const TYPES: Readonly<Record<SandboxType, string>> = {
  PII_DETECTION: 'Personal data and secrets.',
  BIAS_DETECTION: 'Unequal treatment of people, and sycophancy.',
  SECURITY_AUDIT: 'Attacks on systems, leaked secrets and injected instructions.',
  PROMPT_INJECTION: 'Attempts to override the model’s instructions.',
  AGENT_SAFETY: 'Agents that loop, overreach or take irreversible actions.',
  HALLUCINATION_DETECTION: 'Made-up sources and figures, and false confidence.',
  CONTENT_POLICY: 'Violent, sexual, hateful and harmful content.',
  FINANCIAL_COMPLIANCE: 'Advice and conduct that financial regulations prohibit.',
  LEGAL_COMPLIANCE: 'Legal advice, copyright and defamation.',
  FULL_SPECTRUM: 'All detectors.',
  CUSTOM: 'Only your custom rules.',
};

/** Label of a minimum: a detector, a type of value, or all others. A type may have the same name as a detector. */
export function minimumName(name: string): string {
  if (name === OTHER_FINDINGS) return 'All others';
  return Object.hasOwn(LABELS.detector, name)
    ? label('detector', name)
    : `${label('entityType', name)} (type)`;
}

const CODES_SHOWN = 8;

export function typeText(type: SandboxType): string {
  // Another release may have more types.
  if (!Object.hasOwn(TYPES, type)) return '';
  const codes = REPORTED_CODES[type];
  const shown = codes
    .slice(0, CODES_SHOWN)
    .map((code) => inSentence(label('violation', code)))
    .join(', ');
  const rest = codes.length - CODES_SHOWN;
  const list = rest > 0 ? `${shown} and ${rest} more` : shown;
  return `${TYPES[type]} ${list === '' ? '' : `Reports ${list}. `}CSAM and custom rules are always reported.`;
}

export const ACTIONS: Readonly<Record<GuardianAction, string>> = {
  ALLOW_ALL: 'Allow the prompt and report matches.',
  REDACT_AND_CONTINUE: 'Replace matches and allow the prompt.',
  BLOCK_ON_DETECT: 'Block the prompt if anything matches.',
};

export const STRATEGIES: Readonly<Record<RedactionStrategy, string>> = {
  FULL: 'Replaces the whole value: [EMAIL_REDACTED].',
  PARTIAL:
    'Masks most of the value: j***@example.org, or the last four digits of a number. Secrets are replaced entirely.',
  HASHED: 'Replaces the value with a short hash, always the same for the same value: [EMAIL_1f2e3d4c].',
};

export const thresholdText = (level: RiskLevel): string =>
  level === 'CRITICAL'
    ? 'Only Critical signals raise an alert. All signals are stored.'
    : `Signals at ${label('riskLevel', level)} or above raise an alert. All signals are stored.`;

export const RULES_TEXT =
  'Words match as whole words, case-insensitively. /…/flags is a JavaScript regular expression (flags i, m, s, u; no backreferences or lookaround). A sentence, e.g. “Do not promise refunds.”, is also judged by a language model (audits only, if one is configured).';

export const VALUES_TEXT =
  'Values that aren’t personal data, one per line. They aren’t reported or redacted. Numbers match with any separators; other values match case-insensitively, except keys and passwords. @example.com covers all addresses of the domain, *.example.com those of its subdomains. Values are recorded in the ledger with each version.';

export const CIDRS_TEXT =
  'Networks whose IP addresses aren’t personal data, one per line, e.g. 203.0.113.0/24 or 2001:db8::/32.';

export const PATTERNS_TEXT =
  'Regular expressions, one per line. A value that matches in full isn’t treated as personal data.';

export const OFF_TEXT =
  'Their matches aren’t reported or redacted. Another detector may still match the same text. CSAM detection can’t be disabled.';

export const CONFIDENCE_TEXT =
  'Matches below the minimum aren’t reported or redacted. Set it per detector, per type, or as the default for all others.';
