import type { Sandbox } from '#schemas/api/sandboxes.ts';

/** Settings of a sandbox as they are edited. */
export type Draft = Pick<
  Sandbox,
  | 'name'
  | 'sandboxType'
  | 'regulations'
  | 'alertThreshold'
  | 'guardianAction'
  | 'customRules'
  | 'region'
  | 'active'
  | 'redactionStrategy'
  | 'allowedValues'
  | 'allowedCidrs'
  | 'allowedPatterns'
  | 'detectorsOff'
  | 'minConfidence'
>;

/** As the service fills what is not sent. */
export const NEW_DRAFT: Draft = {
  name: '',
  sandboxType: 'FULL_SPECTRUM',
  regulations: [],
  alertThreshold: 'HIGH',
  guardianAction: 'REDACT_AND_CONTINUE',
  customRules: [],
  region: 'GLOBAL',
  active: true,
  redactionStrategy: 'FULL',
  allowedValues: [],
  allowedCidrs: [],
  allowedPatterns: [],
  detectorsOff: [],
  minConfidence: {},
};

const FIELDS = Object.keys(NEW_DRAFT) as readonly (keyof Draft)[];

export const draftOf = (sandbox: Sandbox): Draft =>
  Object.fromEntries(FIELDS.map((field) => [field, sandbox[field]])) as unknown as Draft;

/** Rules that nothing was written into are none. */
const written = (draft: Draft): Draft => ({
  ...draft,
  customRules: draft.customRules.filter((rule) => rule.trim() !== ''),
});

/** Only what was changed, so that what somebody else changed meanwhile stays. */
export function changeOf(before: Draft, after: Draft): Partial<Draft> {
  const now = written(after);
  return Object.fromEntries(
    FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(now[field])).map((field) => [
      field,
      now[field],
    ]),
  );
}

export const bodyOf = (slug: string, draft: Draft): Draft & { readonly slug: string } => ({
  slug,
  ...written(draft),
});

/** A slug that a name suggests: lower case, words joined by hyphens. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');

/** Regulations without a box of their own, as one line of text. `boxed`: those that have one. */
export const otherRegulations = (codes: readonly string[], boxed: readonly string[]): string =>
  codes.filter((code) => !boxed.includes(code)).join(', ');

/** Those with a box that is ticked, and those of the line; each once. */
export function withOthers(codes: readonly string[], boxed: readonly string[], line: string): string[] {
  const others = line
    .split(/[\s,;]+/)
    .map((code) => code.toUpperCase())
    .filter((code) => code !== '');
  return [...new Set([...codes.filter((code) => boxed.includes(code)), ...others])];
}

export const withCode = (codes: readonly string[], code: string, isNamed: boolean): string[] =>
  isNamed ? [...codes, code] : codes.filter((one) => one !== code);
