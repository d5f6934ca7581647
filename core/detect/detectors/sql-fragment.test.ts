import { describe, expect, test } from '@jest/globals';
import { findsOf } from './contract.ts';
import { sqlFragment } from './sql-fragment.ts';

/** A whole text is judged, so the cases of the contract that put something in front of one do not apply. */
describe('sql-fragment', () => {
  test.each(['1 or 1=1', "1'--", '(select id from users limit 1)', '7; delete from carts', "x' = 'x"])(
    'finds %s',
    (text) => {
      expect(findsOf(sqlFragment, text)).toMatchObject([
        { code: 'CODE_INJECTION', start: 0, end: text.length },
      ]);
    },
  );

  test.each([
    '1, 2, 3',
    'Select one of these.',
    'SELECT id FROM users',
    'How do I select from two tables?',
    'x = 1; y = 2',
    'a || b',
    'yes or no',
    "don't",
    '# Title',
    '- 1 or 2 eggs',
    '5 - 3 * 2',
    "'a' + 'b'",
  ])('leaves %s alone', (text) => {
    expect(findsOf(sqlFragment, text)).toEqual([]);
  });

  test('the same in pieces, once', () => {
    expect(findsOf(sqlFragment, '1 or 1=1', 2)).toEqual(findsOf(sqlFragment, '1 or 1=1'));
  });

  test('a long text is not a field', () => {
    expect(findsOf(sqlFragment, '1 or 1=1 '.repeat(100))).toEqual([]);
  });
});
