import { describe, expect, test } from '#jest';
import { isDate } from './calendar.ts';

/** Checks the value in brackets. */
function judged(marked: string): boolean {
  const [start, end] = [marked.indexOf('['), marked.indexOf(']')];
  return isDate(marked.slice(start + 1, end), marked.slice(0, start), marked.slice(end + 1));
}

describe('days and months', () => {
  test.each([
    'Date: [Tue], 03 Nov 2026',
    '[Thu] at noon',
    '[Mon Tue Wed]',
    '[Tue Nov] 3 10:00',
    'am [Donnerstag]',
    'le [vendredi]',
    '[Środa], 3 stycznia',
    '[пятница]',
    '3 [May] 2026',
    '[April] 7, 2026',
    'the 3rd of [June], 2026: 3 [June]',
    '21 de [abril]',
  ])('%s is a date', (text) => expect(judged(text)).toBe(true));

  test.each([
    '[April] called',
    '[Jan] signed',
    '[Tue Nguyen] called',
    '[April Jones]',
    '[May Chen] at 3',
    '[Sam]',
  ])('%s may be a name', (text) => expect(judged(text)).toBe(false));
});
