import { VIOLATION_CODES } from '#schemas/vocabulary.ts';

/** Each violation code has a bit, so that signals with equal codes can be counted together by one number. */
export const CODES = `[${VIOLATION_CODES.map((code) => `'${code}'`).join(', ')}]`;
export const BITS_OF_CODES = `[${VIOLATION_CODES.map((_, place) => 2 ** place).join(', ')}]`;

/** The row's codes as bits. `transform` of a dictionary column works on the dictionary. */
export const CODES_AS_BITS = `arraySum(code -> transform(code, ${CODES}, ${BITS_OF_CODES}, toUInt64(0)), violations)`;
