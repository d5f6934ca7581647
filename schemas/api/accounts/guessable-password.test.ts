import { expect, test } from '#jest';
import { isGuessable } from './guessable-password.ts';

const EMAIL = 'annlee@example.org';

test.each([
  ' '.repeat(12),
  'aaaaaaaaaaaa',
  'abababababab',
  'Password1234',
  'password2026!',
  'P4ssw0rd_P4ssw0rd',
  'qwertyuiop12',
  'QWERTYUIOPASDFGHJKL',
  '123456789012',
  '987654321098',
  'abcdefghijkl',
  'abc123abc123',
  'administrator1',
  'Welcome12345',
  'letmein-letmein',
  'iloveyou2026',
  'ｐａｓｓｗｏｒｄ１２３４',
  'annlee123456',
  'annlee@example.org',
  'AnnLee-annlee-1',
])('%j is guessable', (password) => {
  expect(isGuessable(password, EMAIL)).toBe(true);
});

test.each([
  'seven quiet grey herons',
  'correct horse battery',
  'my password is a long story',
  'tr0ub4dor&3-lamps',
  'k9#mQ2$vLx8!',
  '482917364501',
  'Zürich im Regen',
  'ann lee likes old maps',
  '静かな灰色の鷺が七羽いる池',
])('%j is not guessable', (password) => {
  expect(isGuessable(password, EMAIL)).toBe(false);
});

test('checks a long password in the same time', () => {
  const begun = performance.now();
  for (const unit of ['pass', 'ab', '\u{1f600}x', 'password ']) isGuessable(unit.repeat(100), EMAIL);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
