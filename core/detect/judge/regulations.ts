import { VIOLATION_CODES, VIOLATION_GROUPS, type ViolationCode } from '#schemas/vocabulary.ts';

const PERSONAL: readonly ViolationCode[] = ['PII_LEAK', 'EMAIL', 'SSN', 'PHONE', 'PASSPORT'];
const FINANCIAL: readonly ViolationCode[] = ['CREDIT_CARD', 'FINANCIAL_DATA'];
const BIAS: readonly ViolationCode[] = [
  'RACIAL_BIAS',
  'GENDER_BIAS',
  'AGE_BIAS',
  'DISABILITY_BIAS',
  'RELIGIOUS_BIAS',
  'INTERSECTIONAL_BIAS',
];
const SECURITY: readonly ViolationCode[] = [
  'CODE_INJECTION',
  'SECRET_LEAK',
  'XSS',
  'SSRF',
  'DANGEROUS_INSTRUCTIONS',
];
const { PROMPT_INJECTION, AGENT_SAFETY, HALLUCINATION } = VIOLATION_GROUPS;

/** The codes that each regulation's requirements concern. Regulations that are not listed concern every code. */
const REGULATION_CODES: Readonly<Record<string, readonly ViolationCode[]>> = {
  GDPR: [...PERSONAL, ...FINANCIAL, 'HEALTH_DATA', ...BIAS, ...SECURITY, ...PROMPT_INJECTION],
  // Anomaly monitoring (CC7.2) concerns every code.
  SOC2: VIOLATION_CODES,
  ISO27001: [
    ...PERSONAL,
    ...FINANCIAL,
    'HEALTH_DATA',
    'SECRET_LEAK',
    ...PROMPT_INJECTION,
    ...AGENT_SAFETY,
    'CODE_INJECTION',
    'XSS',
    'SSRF',
  ],
  HIPAA: ['HEALTH_DATA', ...PERSONAL, 'PRIVILEGE_ESCALATION', 'SECRET_LEAK'],
  CCPA: [...PERSONAL, ...FINANCIAL, 'HEALTH_DATA', ...SECURITY, ...PROMPT_INJECTION, ...BIAS],
  EU_AI_ACT: [
    ...BIAS,
    ...SECURITY,
    ...PROMPT_INJECTION,
    ...AGENT_SAFETY,
    ...HALLUCINATION,
    'SELF_HARM_FACILITATION',
  ],
  PCI_DSS: ['CREDIT_CARD', 'SECRET_LEAK', 'CODE_INJECTION', 'XSS', 'SSRF'],
};

/** The sandbox's regulations that at least one reported code concerns, in the sandbox's order. */
export function regulationsConcerned(
  regulations: readonly string[],
  reported: readonly ViolationCode[],
): string[] {
  return regulations.filter((regulation) => {
    const codes = Object.hasOwn(REGULATION_CODES, regulation)
      ? REGULATION_CODES[regulation]!
      : VIOLATION_CODES;
    return reported.some((code) => codes.includes(code));
  });
}
