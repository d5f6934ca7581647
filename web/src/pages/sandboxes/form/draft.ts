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

/** The service's defaults. */
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

/** Drops empty rules. */
const written = (draft: Draft): Draft => ({
  ...draft,
  customRules: draft.customRules.filter((rule) => rule.trim() !== ''),
});

/** Only the changed settings, so that concurrent changes to others are kept. */
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

/** A slug made from a name: lower case, words joined by hyphens. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');

/** Regulations without a checkbox, as one line of text. `boxed`: those with one. */
export const otherRegulations = (codes: readonly string[], boxed: readonly string[]): string =>
  codes.filter((code) => !boxed.includes(code)).join(', ');

/** The checked regulations and those in the line, without duplicates. */
export function withOthers(codes: readonly string[], boxed: readonly string[], line: string): string[] {
  const others = line
    .split(/[\s,;]+/)
    .map((code) => code.toUpperCase())
    .filter((code) => code !== '');
  return [...new Set([...codes.filter((code) => boxed.includes(code)), ...others])];
}

export const withCode = (codes: readonly string[], code: string, isNamed: boolean): string[] =>
  isNamed ? [...codes, code] : codes.filter((one) => one !== code);
