import { expect, test } from '#jest';
import { describeDetectorContract, matchesIn } from './contract.ts';
import { csrf } from './csrf.ts';

const FORM =
  '<form action="https://bank.example/transfer" method="POST"><input type="hidden" name="amount" value="9"></form><script>document.forms[0].submit()';

describeDetectorContract(csrf, {
  finds: [
    [`${FORM}</script>`, [FORM]],
    [
      '<img src="https://bank.example/transfer?to=mallory&amount=9">',
      ['<img src="https://bank.example/transfer?to=mallory&amount=9'],
    ],
    ['http.csrf().disable();', ['csrf().disable']],
    ['@csrf_exempt\ndef hook(request): ...', ['@csrf_exempt']],
  ],
  ignores: [
    '<form method="post">{% csrf_token %}</form>',
    '<form action="https://forms.example/f/abc" method="POST"><input type="email"></form>',
    'document.getElementById("search").submit();',
    '<img src="https://img.example/resize?width=200&file=cat.jpg">',
    'What is a CSRF token for?',
  ],
  hostile: [
    '<form',
    '<form action=http://',
    '<img src=http://a/',
    '.submit()',
    'csrf',
    'csrf(',
    '<iframe src="https://a/delete',
  ],
});

test('disabled CSRF protection is a hint', () => {
  expect(matchesIn(csrf, 'csrf: false').map(({ confidence }) => confidence < 0.5)).toEqual([true]);
});
