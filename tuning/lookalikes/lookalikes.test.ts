import { expect, test } from '#jest';
import { dataFileOf, readConfusables } from './lookalikes.ts';

/** Lines in the format of Unicode's table. */
const TABLE = `\ufeff# confusables.txt
# Date: 2025-07-22, 05:49:37 GMT
# Version: 17.0.0
#
05AD ;\t0596 ;\tMA\t# ( ֭ → ֖ ) HEBREW ACCENT DEHI → HEBREW ACCENT TIPEHA\t#

2C9F ;\t006F ;\tMA\t# ( ⲟ → o ) COPTIC SMALL LETTER O → LATIN SMALL LETTER O\t#
043E ;\t006F ;\tMA\t# ( о → o ) CYRILLIC SMALL LETTER O → LATIN SMALL LETTER O\t#
10404 ;\t004F ;\tMA\t# ( 𐐄 → O ) DESERET CAPITAL LETTER LONG O → LATIN CAPITAL LETTER O\t#
A4F2 ;\t006C ;\tMA\t# ( ꓲ → l ) LISU LETTER I → LATIN SMALL LETTER L\t#
0406 ;\t006C ;\tMA\t# ( І → l ) CYRILLIC CAPITAL LETTER BYELORUSSIAN-UKRAINIAN I → LATIN SMALL LETTER L\t#
04CF ;\t006C ;\tMA\t# ( ӏ → l ) CYRILLIC SMALL LETTER PALOCHKA → LATIN SMALL LETTER L\t#
01C0 ;\t006C ;\tMA\t# ( ǀ → l ) LATIN LETTER DENTAL CLICK → LATIN SMALL LETTER L\t#
ABB6 ;\t0138 ;\tMA\t# ( ꮶ → ĸ ) CHEROKEE SMALL LETTER TSO → LATIN SMALL LETTER KRA\t# →ᴋ→
043D ;\t029C ;\tMA\t# ( н → ʜ ) CYRILLIC SMALL LETTER EN → LATIN LETTER SMALL CAPITAL H\t#
1D41A ;\t0061 ;\tMA\t# ( 𝐚 → a ) MATHEMATICAL BOLD SMALL A → LATIN SMALL LETTER A\t#
0661 ;\t006C ;\tMA\t# ( ١ → l ) ARABIC-INDIC DIGIT ONE → LATIN SMALL LETTER L\t#
00F8 ;\t006F 0338 ;\tMA\t# ( ø → o̸ ) LATIN SMALL LETTER O WITH STROKE → LATIN SMALL LETTER O, COMBINING LONG SOLIDUS OVERLAY\t#
`;

test('includes letters that resemble one ASCII letter and are not normalised to it otherwise', () => {
  expect(Object.fromEntries(readConfusables(TABLE).lookalikes)).toEqual({
    I: ['\u0406', '\ua4f2'],
    O: ['\u{10404}'],
    k: ['\uabb6'],
    l: ['\u04cf'],
    o: ['\u043e', '\u2c9f'],
  });
});

test('the data file names its source and licence, and writes letters as escapes', () => {
  const text = dataFileOf(readConfusables(TABLE));
  const { source, licence, letters } = JSON.parse(text);
  expect(source).toContain('confusables.txt 17.0.0 of 2025-07-22');
  expect(licence[0]).toBe('Unicode-3.0');
  expect(letters).toMatchObject({ o: '\u043e\u2c9f', O: '\u{10404}' });
  expect(text).toContain('"o": "\\u043e\\u2c9f"');
  expect(text).toContain('"O": "\\ud801\\udc04"');
});

test('refuses another file', () => {
  expect(() => readConfusables('<html>')).toThrow('is it confusables.txt?');
});
