import { describe, expect, test } from '#jest';
import { matchesIn } from './contract.ts';
import { sqlFragment } from './sql-fragment.ts';

/** The detector judges whole texts, so the contract's cases that prepend text do not apply. */
describe('sql-fragment', () => {
  test.each([
    '1 or 1=1',
    "1'--",
    '(select id from users limit 1)',
    '7; delete from carts',
    "x' = 'x",
    "' or ascii('a')=97--",
    "x' and substring(@@version,1,1)='5",
    '1 and ord(mid(user(),1,1))=114',
    '1 and if(ascii(f(1))>2,1,0)',
    "x'),('a','b",
    "x', (select password from users limit 1))--",
    "x', role='admin",
    "a','b','c');--",
    "admin';--",
    "'+0+'",
    "'=0--+",
    "' is null or '1",
    '1 rlike (select 1)',
    '1 order by (case when 1=1 then 1 else 1/0 end)',
    '1,extractvalue(1,concat(0x7e,user()))',
    'sleep(5)#',
    '-1 or 17-7=10',
    "'a' or (1 or 1)--",
    'f(2)--',
    "null union select 'a'",
    'case when @a then 1 end',
  ])('finds %s', (text) => {
    expect(matchesIn(sqlFragment, text)).toMatchObject([
      { code: 'CODE_INJECTION', start: 0, end: text.length },
    ]);
  });

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
    '1 and f(x) == 2',
    '"a" or f(x) == 3',
    "f' = 2 # prime",
    "users'; -- comment",
    "the girls', where they live # x",
    "(case when a = 1 then 'x' else 'y' end)",
    "name = 'x', role = 'admin'",
    'sleep(5)',
    'sleep(5) # wait a bit',
    '1 or 2 order by 3',
  ])('ignores %s', (text) => {
    expect(matchesIn(sqlFragment, text)).toEqual([]);
  });

  test('ignores long texts, which are not form fields', () => {
    expect(matchesIn(sqlFragment, '1 or 1=1 '.repeat(100))).toEqual([]);
  });
});
