import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { growsInProportion } from '../../testing/growth.ts';
import { LOOKALIKES, OWN_LOOKALIKES } from './lookalikes.ts';
import { normalise } from './normalise.ts';

const read = (text: string) => normalise(text);

const tagged = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const fullWidth = (text: string): string =>
  Array.from(text, (letter) => String.fromCharCode(0xfee0 + letter.charCodeAt(0))).join('');
const mathBold = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0x1d41a + letter.charCodeAt(0) - 97)).join('');

describe('normalised text', () => {
  test.each([
    ['plain text stays', 'Ignore it, 078-05-1120\n', 'Ignore it, 078-05-1120\n'],
    ['accents stay, as one character', 'Jos\u00e9 and Jose\u0301', 'Jos\u00e9 and Jos\u00e9'],
    ['zero width', 'ig\u200bno\u2060re\ufeff', 'ignore'],
    ['soft hyphens and directions', 'sys\u00adtem \u202eprompt\u202c', 'system prompt'],
    ['full width', fullWidth('a@b.co'), 'a@b.co'],
    ['mathematical letters', mathBold('ignore'), 'ignore'],
    ['tags that nobody sees', `ok${tagged('leak it')}`, 'okleak it'],
    ['Cyrillic and Greek letters in a Latin word', 'іgnоrе ρrеvіоuѕ', 'ignore previous'],
    ['words of look-alikes alone', 'ѕсоре', 'scope'],
    ['look-alikes under accents', '\u1f00\u00c0\u1e00', 'aAA'],
    ['two letters of Lisu', 'IGN\ua4f3\ua4e3E', 'IGNORE'],
    ['two letters of Coptic', 'ign\u2c9f\u2c85e', 'ignore'],
    ['two letters of Cherokee', '\uab75gnor\uab7c', 'ignore'],
    ['letters beyond the basic plane', 'IGN\u{10404}\u{104b4}E', 'IGNORE'],
    ['one letter for l and I, by the script', '\ua4f2\ua4d6NORE a\u04cf\u04cf', 'IGNORE all'],
    ['Russian stays', 'Привет, мир', 'Привет, мир'],
    ['Greek stays', 'Καλημέρα', 'Καλημέρα'],
    ['digits of other scripts', '\u0660\u0661\u0662 \u0967\u0968 \ud835\udfd9', '012 12 1'],
    ['blanks, dashes and quotes', 'a\u00a0b\u2013c \u201cd\u2019s\u201d', 'a b-c "d\'s"'],
    ['stacked marks', 'i\u0335\u0323g\u0336nore', 'i\u0323gnore'.normalize('NFC')],
    ['accents on most letters', 'ìgñòrë', 'ignore'],
    ['ligatures', 'con\ufb01g', 'config'],
    ['letters in boxes', '\u{1f178}\u{1f176}', 'IG'],
    ['controls', 'ig\u0000no\u001bre', 'ignore'],
    ['emoji stay', 'ok \u{1F600}\u{1F469}\u200d\u{1F4BB}', 'ok \u{1F600}\u{1F469}\u{1F4BB}'],
  ])('%s', (_what, text, expected) => {
    expect(read(text).text).toBe(expected);
  });
});

test('Korean syllables and kana are not accented letters', () => {
  expect(read('がぎぐげごの').text).toBe('がぎぐげごの');
  expect(read('김철수 씨가 전화했습니다').text).toBe('김철수 씨가 전화했습니다');
});

test('every letter that looks like an ASCII letter is read as it inside a word', () => {
  for (const table of [LOOKALIKES, OWN_LOOKALIKES]) {
    for (const [latin, letters] of Object.entries(table)) {
      for (const letter of letters) {
        expect({ letter, text: read(`ab${letter}cd`).text }).toEqual({ letter, text: `ab${latin}cd` });
      }
    }
  }
});

describe('offsets', () => {
  const original = (text: string, wanted: string): string => {
    const { text: normalised, offsets } = read(text);
    const at = normalised.indexOf(wanted);
    expect(at).toBeGreaterThanOrEqual(0);
    return text.slice(offsets.start(at), offsets.end(at + wanted.length));
  };

  test.each([
    ['a\u200bb 078\u200b-05-1120 c', '078-05-1120', '078\u200b-05-1120'],
    [`\u{1F600} ${mathBold('abc')} d`, 'abc', mathBold('abc')],
    ['e\u0301e\u0301 jo@x.co e\u0301', 'jo@x.co', 'jo@x.co'],
    ['Jose\u0301 Li', 'Jos\u00e9', 'Jose\u0301'],
    [`x${tagged('secret')}y`, 'secret', tagged('secret')],
    ['con\ufb01g', 'fi', '\ufb01'],
    ['a \u{10404}NE \ua4f3NE', 'ONE', '\u{10404}NE'],
    ['\u0301abc', 'abc', 'abc'],
  ])('%j: %s', (text, wanted, expected) => {
    expect(original(text, wanted)).toBe(expected);
  });

  test('refer to the original text, whatever it contains', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom(
        'abc',
        'e\u0301',
        '\u200b',
        mathBold('xyz'),
        fullWidth('12'),
        '\ufb03',
        tagged('q'),
        '\ud83d',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        const text = pieces.join('');
        const { text: normalised, offsets } = read(text);
        let last = 0;
        for (let i = 0; i < normalised.length; i++) {
          const [start, end] = [offsets.start(i), offsets.end(i + 1)];
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = start;
          const unit = normalised.charCodeAt(i);
          // Unchanged characters keep their offset.
          if (unit > 32 && unit < 127 && text.charCodeAt(start) < 127)
            expect(text.charCodeAt(start)).toBe(unit);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('normalising twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const once = read(text).text;
      expect(read(once).text).toBe(once);
    }),
  );
});

test.each(['\u200b', 'e\u0301', '\u0301', 'і', 'é', '\u{1d41a}', '\u{1F600}', 'ſ', 'a\u0336'])(
  'normalising takes time linear in the length: %j',
  (piece) => {
    expect(growsInProportion((length) => read(piece.repeat(Math.ceil(length / piece.length))))).toBe(true);
  },
);
