import type { ViolationCode } from '#schemas/vocabulary.ts';
import groups from './lists/bias-groups.json' with { type: 'json' };

export type BiasCode = Extract<
  ViolationCode,
  'RACIAL_BIAS' | 'GENDER_BIAS' | 'AGE_BIAS' | 'DISABILITY_BIAS' | 'RELIGIOUS_BIAS'
>;

/** Words that name a group by themselves, in the plural. */
export const NOUNS: Readonly<Record<BiasCode, readonly string[]>> = groups.nouns;
/** Words that name a group before a person's noun: "black drivers", "an elderly applicant". */
export const ADJECTIVES: Readonly<Record<BiasCode, readonly string[]>> = groups.adjectives;
/** Nouns for persons that name no group, or one only when they stand alone (women). */
export const PERSONS: readonly string[] = groups.persons;
export const GENDERED: readonly string[] = groups.gendered;
