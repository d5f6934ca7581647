import { describe, expect, test } from '#jest';
import { detect } from '../detect.ts';
import { growsInProportion } from '../testing/growth.ts';
import {
  compileRules,
  faultsInSteps,
  faultsOfRules,
  findCustomRules,
  isSentence,
  MAX_HITS,
} from './custom-rules.ts';
import { foldCase } from './phrases.ts';

const find = (text: string, rules: readonly string[]) => findCustomRules(text, compileRules(rules));
const hits = (text: string, ...rules: string[]): string[] =>
  find(text, rules).flatMap((list, rule) =>
    list.map(({ start, end }) => `${rule}:${text.slice(start, end)}`),
  );

describe('rules of words', () => {
  test('match words and phrases in any case', () => {
    expect(hits('PROJECT Falcon and project falcon.', 'Project Falcon')).toEqual([
      '0:PROJECT Falcon',
      '0:project falcon',
    ]);
    expect(hits('a Straße, ΟΔΟΣ', 'straße', 'οδος')).toEqual(['0:Straße', '1:ΟΔΟΣ']);
    expect(hits('Do not name prices.', 'do not name prices.')).toEqual(['0:Do not name prices.']);
  });
  test('match only whole words', () => {
    expect(hits('public license, lic_1, lic, 𝓐lic lic\u0301', 'lic')).toEqual(['0:lic']);
    expect(hits('C++ is not C+++ but (C++)', 'c++')).toEqual(['0:C++', '0:C++', '0:C++']);
    expect(hits('aaa aa', 'aa')).toEqual(['0:aa']);
    expect(hits('aaaab aaab baaab', 'aaab')).toEqual(['0:aaab']);
  });
  test("report each rule's own span, which may lie in another one", () => {
    expect(hits('project falcon', 'project', 'falcon', 'project falcon', 'eagle')).toEqual([
      '0:project',
      '1:falcon',
      '2:project falcon',
    ]);
  });
  test('match special characters of patterns literally', () => {
    expect(hits('a.c abc (x) [x]', 'a.c', '(x)')).toEqual(['0:a.c', '1:(x)']);
  });
  test('report correct offsets where lower case has another length', () => {
    expect(hits('İİ falcon', 'falcon')).toEqual(['0:falcon']);
    expect(hits('in İZMİR', 'izmir')).toEqual(['0:İZMİR']);
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      if (foldCase(character).length !== character.length) throw new Error(`U+${point.toString(16)}`);
    }
  });
  test('treat file names as words and match nothing for blank rules', () => {
    expect(hits('cat /etc/passwd or /usr/bin', '/etc/passwd', '', ' ', '/usr/bin', '//')).toEqual([
      '0:/etc/passwd',
      '3:/usr/bin',
    ]);
  });
});

describe('rules with patterns', () => {
  test('match alongside rules of words, with their flags', () => {
    expect(hits('Falcon FALCON falcon-7', '/falcon/', '/FALCON(?:-\\d)?/i', 'falcon')).toEqual([
      '0:falcon',
      '1:Falcon',
      '1:FALCON',
      '1:falcon-7',
      '2:Falcon',
      '2:FALCON',
      '2:falcon',
    ]);
    expect(hits('a\nb', '/a.b/s', '/^b$/m', '/^b/', '/a.b/')).toEqual(['0:a\nb', '1:b']);
    expect(hits('x 😀 y', '/😀|\\p{Emoji_Presentation}/u', '/^.{5}$/')).toEqual(['0:😀', '1:x 😀 y']);
    expect(hits('a/b/c', ' /a/b/ ')).toEqual(['0:a/b']);
  });
  test('never give empty hits', () => expect(hits('baab', '/a*/', '/^|$/', '/\\b/')).toEqual(['0:aa']));
  test('treat an invalid pattern as words', () => {
    expect(hits('see /a(/ and /x/g', '/a(/', '/x/g')).toEqual(['0:/a(/', '1:/x/g']);
  });
});

describe('faults of rules', () => {
  const messages = (...rules: string[]): string[] =>
    faultsOfRules(rules).map(({ index, message }) => `${index}: ${message}`);

  test('are empty for valid rules', () => {
    expect(
      messages(
        'falcon',
        '/(a+)+$/i',
        '/a.*b|c{2,5}?/imsu',
        '/[\\w-]+@[\\w.-]+/',
        '/\\bfoo\\-bar\\b/',
        '/\\p{Lu}\\d{4}/',
      ),
    ).toEqual([]);
    expect(messages('/etc/passwd', '//', 'either/or', 'Never mention prices. Ever!')).toEqual([]);
  });
  test.each([
    ['  ', 'the rule must not be blank'],
    ['/a/g', 'flags may be'],
    ['/a/ii', 'flags may be'],
    ['/a/x', 'flags may be'],
    ['/a/gy', 'flags may be'],
    ['/a(/', 'Unterminated group'],
    ['/a)/', 'Unmatched'],
    ['/[a/', 'class'],
    ['/*/', 'Nothing to repeat'],
    ['/a{2,1}/', 'out of order'],
    ['/(?=a)b/', 'look-ahead'],
    ['/(?<!a)b/', 'look-behind'],
    ['/(a)\\1/', 'references'],
    ['/(?<n>a)\\k<n>/', 'references'],
    ['/\\p{Nonsense}/', 'class'],
    ['/\\Aa/', '\\A is not known'],
    ['/a{1001}/', 'too large'],
    ['/(?:(?:a{30}){30}){30}/', 'too large'],
    ['/((((){1000}){1000}){1000}){1000}/', 'too large'],
  ])('name what is wrong with %s', (rule, message) => {
    const [fault, ...others] = messages('falcon', rule);
    expect(fault).toMatch(/^1: /);
    expect(fault).toContain(message);
    expect(others).toEqual([]);
  });
  test('are found one rule at a time, without compiling rules beyond the size limit', () => {
    const rules = Array.from({ length: 50 }, () => `/${'(a|b)?'.repeat(70)}/`);
    const steps = faultsInSteps(rules);
    let turns = 0;
    while (!steps.next().done) turns += 1;
    expect(turns).toBe(50);
    // Rejected for its size alone, although it does not compile either.
    const last = faultsOfRules([...rules, '/(/']).at(-1);
    expect(last).toEqual({ index: 50, message: expect.stringContaining('too large together') });
  });

  test('include patterns that are too large together', () => {
    const rules = Array.from({ length: 6 }, (_, i) => `/a{400}${i}/`);
    expect(faultsOfRules(rules).map(({ index }) => index)).toEqual([4, 5]);
  });
});

describe('a rule', () => {
  test.each([
    'Do not promise refunds.',
    'never mention Project Falcon',
    'Never mention Project Falcon',
    'Block profanity!',
    'The assistant must not give medical advice',
    'Does it quote a price?',
    'Keine Rabatte zusagen.',
    'Ne jamais promettre de remboursement',
    '不要承诺退款给客户',
    'لا تعد العميل باسترداد المال',
    'Answers about tax (of any country) belong to a person.',
    'say nothing about /etc/passwd to anybody',
  ])('that is a sentence: %s', (rule) => expect(isSentence(rule)).toBe(true));

  test.each([
    'falcon',
    'project nightjar',
    'internal use only',
    'Acme Inc.',
    'Bank of Ireland Group Limited',
    'Ludwig van Beethoven',
    'ACME HOLDINGS EUROPE LIMITED',
    '/do not promise refunds/i',
    '/etc/passwd',
    'v1.2.3 4.5.6 7.8.9 1.1.1',
    '退款',
    '',
    ' ... ',
  ])('that is not a sentence: %s', (rule) => expect(isSentence(rule)).toBe(false));
});

test('the last hit allowed covers the rest of the text', () => {
  const text = 'ab '.repeat(MAX_HITS + 5);
  for (const rule of ['ab', '/ab/']) {
    const [found] = find(text, [rule]);
    expect(found).toHaveLength(MAX_HITS);
    expect(found!.at(-1)).toEqual({ start: 3 * (MAX_HITS - 1), end: text.length });
  }
});

test('rules give the same hits after they have searched other texts', () => {
  const compile = () => compileRules(['/a[ab]{9}b/', '/\\bé+\\b/i', 'ba']);
  const rules = compile();
  for (const text of ['abba '.repeat(9_000), 'bé aab b'.repeat(5_000), 'x', 'abba '.repeat(9_000)]) {
    expect(findCustomRules(text, rules)).toEqual(findCustomRules(text, compile()));
  }
});

test.each([
  ['aaab', ['aaac', 'aaaaab'], 'a'],
  ['/a.*b|a/s', ['/a.*b|a/s'], 'a'],
  ['/(a+)+$/', ['/(a+)+$/'], 'a'],
  ['/(?:a|b)*a(?:a|b){12}c/', ['/(?:a|b)*a(?:a|b){12}c/'], 'ab'],
  ['/\\w+\\s+\\w+@/', ['/\\w+\\s+\\w+@/'], 'ab '],
])('rule %s takes time linear in the text', (_name, rules, piece) => {
  const compiled = compileRules(rules);
  expect(growsInProportion((length) => findCustomRules(piece.repeat(length / piece.length), compiled))).toBe(
    true,
  );
});

// About 13 million steps. A search whose cost is rule times text would need six billion and exceed the test's time
// limit.
test('fifty long rules search a hostile text within the time limit', () => {
  const rules = Array.from({ length: 50 }, (_, i) => `${'a '.repeat(240)}${i}`);
  expect(find('a '.repeat(131_072), rules).flat()).toEqual([]);
});

test.each([
  ['invisible characters', 'the pro\u200bject fal\u00adcon is secret', 'pro\u200bject fal\u00adcon'],
  ['look-alikes', 'the pr\u043eject falc\u043en is secret', 'pr\u043eject falc\u043en'],
  ['full width', 'the \uff50roject falcon is secret', '\uff50roject falcon'],
  ['nothing, beside another character beyond ASCII', '\u2026 project falcon', 'project falcon'],
])('words obfuscated with %s are found at their original offsets', (_name, text, value) => {
  const found = detect([{ source: 'prompt', text }], { customRules: ['Project Falcon'] });
  expect(
    found.filter(({ ruleIndex }) => ruleIndex === 0).map(({ start, end }) => text.slice(start, end)),
  ).toEqual([value]);
});

test('words in other scripts are found unchanged', () => {
  const text =
    '\u043f\u0440\u043e\u0435\u043a\u0442 \u0441\u043e\u043a\u043e\u043b \u2014 \u0442\u0430\u0439\u043d\u0430';
  const found = detect([{ source: 'prompt', text }], {
    customRules: ['\u043f\u0440\u043e\u0435\u043a\u0442 \u0441\u043e\u043a\u043e\u043b'],
  });
  expect(found.map(({ start, end }) => [start, end])).toEqual([[0, 12]]);
});
