import { expect, test } from '#jest';
import { packageText } from './package-text.ts';

test.each<[value: unknown, text: string]>([
  ['<b>bold</b>', '<b>bold</b>'],
  [['EMAIL', 'SSN'], 'EMAIL, SSN'],
  [[], 'none'],
  [null, 'none'],
  [undefined, 'none'],
  [3.5, '3.5'],
  [{ a: 1 }, '{"a":1}'],
  ['x'.repeat(5_000), `${'x'.repeat(2_000)}…`],
])('%j', (value, text) => expect(packageText(value)).toBe(text));
