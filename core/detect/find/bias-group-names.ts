import type { ViolationCode } from '#schemas/vocabulary.ts';
import groups from './lists/bias-groups.json' with { type: 'json' };

export type BiasCode = Extract<
  ViolationCode,
  'RACIAL_BIAS' | 'GENDER_BIAS' | 'AGE_BIAS' | 'DISABILITY_BIAS' | 'RELIGIOUS_BIAS'
>;

/** Plural nouns that name a group by themselves. */
export const NOUNS: Readonly<Record<BiasCode, readonly string[]>> = groups.nouns;
/** Adjectives that name a group before a noun for people: "black drivers", "an elderly applicant". */
export const ADJECTIVES: Readonly<Record<BiasCode, readonly string[]>> = groups.adjectives;
/** Nouns for people that name no group, or only when they stand alone (women). */
export const PERSONS: readonly string[] = groups.persons;
export const GENDERED: readonly string[] = groups.gendered;
