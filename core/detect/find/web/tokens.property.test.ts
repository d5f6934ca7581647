import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { workOf } from '../../testing/work.ts';
import { markupScoreOf } from './markup/judge.ts';
import { readMarkup } from './markup/tokens.ts';
import { decodedValue } from './requests/decode.ts';
import { fieldsOf } from './requests/fields.ts';
import { shellCommandsOf } from './shell/commands.ts';
import { sqlTokensOf } from './sql-tokens.ts';

/** Pieces of all grammars in any order, and arbitrary text. */
const pieces = fc.constantFrom(
  ...[
    'GET /a?b=',
    ' HTTP/1.1\n',
    'Cookie: a=',
    '{"a":"',
    '"}',
    '&c=',
    '%27',
    '%253c',
    '&#60;',
    '\\u003c',
    '<a b=',
    '/>',
    "'",
  ],
  ...[
    '"',
    '`',
    '$(',
    '$IFS',
    ')',
    ';',
    '|',
    '&&',
    '\n',
    ' or 1=1',
    '--',
    '/*',
    '*/',
    'union select ',
    '<!--',
    '-->',
    '{',
    '}',
  ],
  ...[
    '<script>',
    '</script',
    'cat /etc/',
    '\\',
    '^',
    '$@',
    '[',
    '--x\ncontent-disposition: form-data\n',
    '<?xml >',
    '\u{1f600}',
    '\0',
    'a',
  ],
);
const texts = fc
  .array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { maxLength: 40 })
  .map((all) => all.join(''));

describe('readers of requests and their values', () => {
  test('fields have non-empty spans inside the text, which decode to their values', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { start, end, value } of fieldsOf(text).fields) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect([
            decodedValue(text.slice(start, end), false),
            decodedValue(text.slice(start, end), true),
          ]).toContain(value);
        }
      }),
    );
  });

  test('SQL tokens are in order and inside the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { kinds, starts, ends } = sqlTokensOf(text, false);
        expect([starts.length, ends.length]).toEqual([kinds.length, kinds.length]);
        for (let at = 0; at < kinds.length; at++) {
          expect(starts[at]).toBeGreaterThanOrEqual(at === 0 ? 0 : ends[at - 1]!);
          expect(ends[at]).toBeGreaterThan(starts[at]!);
        }
        expect(ends.at(-1) ?? 0).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test('commands and tags contain only characters of the text, and scores are between 0 and 1', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { words } of shellCommandsOf(text))
          for (const word of words) for (const unit of word) expect(text).toContain(unit);
        const values: string[] = [];
        readMarkup(text, 'TEXT', {
          tag: () => {},
          attribute: (_tag, _name, value) => values.push(value ?? ''),
          content: (_tag, content) => values.push(content),
          declaration: (content) => values.push(content),
        });
        for (const value of values) expect(text).toContain(value);
        for (const origin of ['REQUEST', 'PAGE'] as const) {
          expect(markupScoreOf(text, origin)).toBeGreaterThanOrEqual(0);
          expect(markupScoreOf(text, origin)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('the work is linear in the text, whatever it repeats', () => {
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 4 }), (some) => {
        const piece = some.join('');
        const work = (length: number): number =>
          workOf(() => {
            const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
            fieldsOf(text);
            shellCommandsOf(text);
            markupScoreOf(text, 'REQUEST');
            sqlTokensOf(text, false);
          });
        const [short, long] = [work(2 ** 10), work(2 ** 12)];
        expect(long).toBeLessThanOrEqual(8 * (short + 2 ** 10));
      }),
      { numRuns: 60 },
    );
  });
});
