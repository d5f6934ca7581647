import { VIOLATION_CODES } from '#schemas/vocabulary.ts';

/**
 * Each violation code has a bit, so that one number identifies a set of codes and signals with equal sets can be
 * counted together.
 */
export const CODES = `[${VIOLATION_CODES.map((code) => `'${code}'`).join(', ')}]`;
export const BITS_OF_CODES = `[${VIOLATION_CODES.map((_, index) => 2 ** index).join(', ')}]`;

/** Column of `signals` with the row's codes as these bits. A migration repeats the list; a test compares both. */
export const CODES_AS_BITS = 'violationBits';
