import { isAsciiAlphanumeric } from '../../read/characters.ts';
import { weightedSum } from '../checks/check-digits.ts';
import type { TermDetector } from '../detector.ts';

/** Two lines of 44 or 36 characters, or three of 30 (ICAO Doc 9303, parts 4 to 6). */
const LINES =
  /[PVIAC][A-Z<][A-Z<]{3}(?:[A-Z<]{39}\r?\n[ \t]{0,8}[A-Z0-9<]{44}|[A-Z<]{31}\r?\n[ \t]{0,8}[A-Z0-9<]{36}|[A-Z0-9<]{25}\r?\n[ \t]{0,8}[A-Z0-9<]{30}(?:\r?\n[ \t]{0,8}[A-Z<]{30})?)/iy;
const WEIGHTS = Array.from({ length: 30 }, (_, i) => [7, 3, 1][i % 3]!);

/** The check digit over digits, letters (10 to 35) and `<` (0). */
function checkOf(field: string): number {
  const values = [...field.toUpperCase()].map((unit) => (unit === '<' ? 0 : Number.parseInt(unit, 36)));
  return values.reduce((sum, value, i) => sum + value * WEIGHTS[i]!, 0) % 10;
}

const hasValidCheck = (line: string, from: number, to: number): boolean =>
  checkOf(line.slice(from, to)) === weightedSum(line[to] === '<' ? '0' : line[to]!, [1]);

/** The machine-readable zones of passports, visas and identity cards. */
export const travelDocument: TermDetector = {
  name: 'travel-document',
  version: 1,
  terms: ['<<'],
  visitor: (text, push) => {
    let done = 0;
    return (_term, phrase) => {
      if (phrase < done) return;
      // The filler characters start after the family name, 5 to 40 characters into the first line.
      const line = text.slice(Math.max(done, phrase - 44), phrase);
      const start = phrase - line.length + Math.max(line.lastIndexOf('\n'), line.lastIndexOf(' ')) + 1;
      if (phrase - start < 5 || isAsciiAlphanumeric(text.charCodeAt(start - 1))) return;
      done = phrase + 2;
      LINES.lastIndex = start;
      const match = LINES.exec(text)?.[0];
      if (match === undefined) return;
      const [first, second] = match.split('\n').map((each) => each.trim()) as [string, string];
      const three = first.length === 30;
      if (
        three
          ? !hasValidCheck(first, 5, 14) && !hasValidCheck(second, 0, 6)
          : !hasValidCheck(second, 0, 9) && !hasValidCheck(second, 13, 19)
      ) {
        return;
      }
      done = start + match.length;
      const isPassport = /^[pv]/i.test(match);
      push({
        code: isPassport ? 'PASSPORT' : 'PII_LEAK',
        entity: isPassport ? 'PASSPORT' : 'NATIONAL_ID',
        start,
        end: done,
        confidence: 0.98,
      });
    };
  },
};
