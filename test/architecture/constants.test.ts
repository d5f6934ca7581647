import { expect, test } from '#jest';
import { constantOf, spellings } from './constants.ts';

const SOURCE = `
const KIB = 1024;
/** Of bytes. */
export const MAX_BYTES = 64 * KIB;
const KEPT_MS: number = 2 * (TOPIC.retentionMs + 1_000) / 2;
const READS = { atOnce: 6, perCustomer: 2 };
const CHUNKS = {
  atOnce: READS.atOnce - 1,
  waitMs: 5_000,
};
const MEMORY = String(2 * 1024 ** 3);
const TOTAL = 2 ** 20 - 1;
const SHARE = 0.8;
`;
const known = { 'TOPIC.retentionMs': 59_000 };

test.each([
  ['MAX_BYTES', 65_536],
  ['KEPT_MS', 60_000],
  ['READS.perCustomer', 2],
  ['CHUNKS.atOnce', 5],
  ['MEMORY', 2 ** 31],
  ['TOTAL', 1_048_575],
])('%s is %i', (name, value) => expect(constantOf(SOURCE, name, known)).toBe(value));

test.each(['MAX', 'READS.none', 'READS'])('%s is rejected because it is not a number', (name) => {
  expect(() => constantOf(SOURCE, name, known)).toThrow();
});

test.each([
  ['MAX_BYTES', 65_536, ['64 KiB', '65,536']],
  ['MAX_ROWS', 1_500, ['1,500']],
  ['KEPT_MS', 86_400_000, ['86,400,000 ms', '86,400 s', '1,440 minutes', '24 hours', '1 days']],
  ['retryAfterSeconds', 60, ['60,000 ms', '60 s', '1 minutes', 'a minute']],
  ['SHARE', 0.8, ['80 %']],
])('%s of %d may be written as %j', (name, value, written) => {
  expect(spellings(name, value)).toEqual(written);
});
