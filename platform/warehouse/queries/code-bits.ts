import { VIOLATION_CODES } from '#schemas/vocabulary.ts';

/** Each violation code has a bit, so that signals with equal codes can be counted together by one number. */
export const CODES = `[${VIOLATION_CODES.map((code) => `'${code}'`).join(', ')}]`;
export const BITS_OF_CODES = `[${VIOLATION_CODES.map((_, place) => 2 ** place).join(', ')}]`;

/** Column of `signals`: the row's codes as these bits. A migration lists them once more, and a test compares both. */
export const CODES_AS_BITS = 'violationBits';
