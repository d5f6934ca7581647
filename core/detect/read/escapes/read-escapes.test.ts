import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { growsInProportion } from '../../testing/growth.ts';
import { readEscapes } from './read-escapes.ts';

const read = (text: string): string => readEscapes(text)?.text ?? text;

describe('escape sequences are read as', () => {
  test.each([
    ['line ends and tabs', 'a\\nb\\tc\\r\\nd', 'a\nb\tc\r\nd'],
    ['two levels', 'a\\\\nb\\\\\\"c\\\\\\"', 'a\nb"c"'],
    ['quotes and slashes', '\\"a\\" https:\\/\\/b', '"a" https://b'],
    ['numbers of characters', 'Jos\\u00e9 \\xe9 \\u{e9} \\U000000e9 \\\\u00e9', 'José é é é é'],
    ['surrogate pairs', '\\ud83d\\ude00', '\u{1F600}'],
    ['a letter and its mark', 'e\\u0301', 'é'],
    ['controls', 'a\\u0000b\\u001b[1mc', 'a b c'],
    ['percent-encoding', 'jane%40a.example%2C%C3%A9', 'jane@a.example,é'],
    ['percent-encoding, twice', 'jane%2540a%25C3%25A9', 'jane@aé'],
    ['blanks of a form', 'a=Jane+Roe&b=12%2F03+x', 'a=Jane Roe&b=12/03 x'],
    ['character references', '&lt;a&#64;b&#x2e;co&gt;&nbsp;&eacute;&Ccedil;', '<a@b.co> éÇ'],
    ['character references, twice', '&amp;lt;&amp;#64;&amp;amp;', '<@&'],
    ['an apostrophe of a shell', "'It'\\''s'", "'It's'"],
    ["Markdown's backslashes", 'jane\\_roe\\@a\\.example', 'jane_roe@a.example'],
    ['a drive after a line end', 'see\\nC:\\docs\\new', 'see\\nC:\\docs\\new'],
    ['a question and its answer', 'A:\\nYes', 'A:\nYes'],
    ['a drive in JSON, and a line end', '["X:\\nb", "C:\\\\new\\nb"]', '["X:\nb", "C:\\\\new\nb"]'],
  ])('%s', (_what, text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

test.each([
  'C:\\new\\table\\users',
  'C:\\\\new\\\\table',
  '\\\\server\\new',
  '..\\new\\table',
  '%APPDATA%\\new',
  'src\\utils\\new',
  '\\d+\\n',
  '\\textbf{a}',
  '100 % of R&D, 5%de',
  'a+b=c',
  'sig=aB3+x9Yk2LmQ7Rt5Vw8Z&e=1',
  'jane+x@a.example?b=c&d=jane+x@a.example',
  'The end.',
])('stays as it is: %s', (text) => {
  expect(read(text)).toBe(text);
});

test('offsets point to the original characters, and no escape sequence is cut', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\\n',
    '\\\\n',
    '\\u00e9',
    '%40',
    '%C3%A9',
    '&amp;',
    '&#64;',
    '\\"',
    '\\',
    '%',
    '&',
    'é',
    '\\ud83d',
    '\\ude00',
    '\u0000',
    "'\\''",
    '{',
    'C:\\',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      const unescaped = readEscapes(text);
      if (unescaped === null) return;
      let last = 0;
      for (let at = 0; at < unescaped.text.length; at++) {
        const { start, end } = unescaped.offsets.across(at, at + 1);
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(unescaped.escapes.around(start, end)).toEqual({ start, end });
        last = start;
      }
    }),
  );
});

test.each(['\\', '\\n', '\\\\', 'a\\n', 'C:\\n', '%25', '%40', '&amp;', '&', 'a=b+', '+', '\u0000', "'\\''"])(
  'reading escapes takes time linear in the length: %j',
  (piece) => {
    expect(growsInProportion((length) => readEscapes(piece.repeat(Math.ceil(length / piece.length))))).toBe(
      true,
    );
  },
);
