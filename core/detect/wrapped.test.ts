import { parse } from 'yaml';
import { describe, expect, test } from '#jest';
import { detect } from './detect.ts';
import type { Match } from './find/match.ts';
import { finish } from './find/steps.ts';
import { redact } from './report/redact.ts';
import { scanInSteps } from './scan.ts';
import { JSON_WRAPPINGS, OTHER_WRAPPINGS, type Wrapping } from './testing/wrappings.ts';

const PEM = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
  'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu',
  '-----END PRIVATE KEY-----',
].join('\n');
const VALUES: readonly string[] = [
  ...['536-22-1234', 'SSN: 536 22 1234', 'jane.roe@example.org', 'mail josé.müller@example.org'],
  ...['4111 1111 1111 1111', 'card 5555555555554444', 'DE89 3704 0044 0532 0130 00', '81.2.69.160'],
  ...['2a02:908::7334:aa11', '+49 30 901820', 'call 415-555-0123', 'Please ask Jane Miller about it'],
  ...['Name: José García', 'Ship to 12 Oak Street, Springfield, IL 62704', 'Date of birth: 12/03/1980'],
  ...['passport number: 533401234', 'driver license D1234567', 'MRN: 4458812', '00:1A:2B:3C:4D:5E'],
  ...['0x52908400098527886E0F7030069857D2E4169EE7', 'postgres://app:s3cr3tPw@db.internal/x', PEM],
  ...[['AK', 'IAIOSFODNN7EXAMPLQ'].join(''), ['sk-ant', 'abcdefghijKLMNOPqrstuv-01'].join('-')],
  ...['password: Tr0ub4dor!3x', 'about project falcon today'],
];
const FRAMES: readonly Wrapping[] = [
  (value) => value,
  (value) => `My data:\n${value}\nThanks`,
  (value) => `"${value}"\n\\ end`,
];
const customRules = ['project falcon'];
const hash = (): string => '00000000';

const valuesIn = (text: string): Match[] =>
  detect([{ source: 'prompt', text }], { customRules }).filter(({ entity }) => entity !== null);
const named = (text: string, matches: readonly Match[]): string[] =>
  matches.map(({ entity, start, end }) => `${entity} ${text.slice(start, end)}`);

/** The part as it appears inside the wrapping. */
function wrapped(wrap: Wrapping, part: string): string {
  const [before = '', after = ''] = wrap('QQQQ').split('QQQQ');
  const whole = wrap(part);
  return whole.slice(before.length, whole.length - after.length);
}

describe.each(Object.entries({ ...JSON_WRAPPINGS, ...OTHER_WRAPPINGS }))('values in %s', (_name, wrap) => {
  test.each(FRAMES.map((frame) => [frame('...'), frame] as const))(
    'have their exact borders in %j',
    (_frame, frame) => {
      for (const value of VALUES) {
        const text = frame(value);
        const found = valuesIn(text);
        const sent = wrap(text);
        const expected = found.map(({ entity, start, end }) => {
          return `${entity} ${wrapped(wrap, text.slice(start, end))}`;
        });
        expect(expected.length).toBeGreaterThan(0);
        expect({ sent, values: named(sent, valuesIn(sent)) }).toEqual({ sent, values: expected });
      }
    },
  );
});

/** A value's structure with its strings replaced: keys, order, numbers and list lengths stay. */
const shapeOf = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, one) => (typeof one === 'string' ? 'text' : one)));

describe('redacted JSON', () => {
  test.each(Object.entries(JSON_WRAPPINGS))('keeps its structure: %s', (_name, wrap) => {
    for (const strategy of ['FULL', 'PARTIAL', 'HASHED'] as const) {
      for (const value of VALUES) {
        const sent = wrap(`My data:\n${value}\nThanks`);
        const clean = redact(sent, valuesIn(sent), strategy, hash);
        expect(clean).not.toBe(sent);
        expect(shapeOf(JSON.parse(clean))).toEqual(shapeOf(JSON.parse(sent)));
      }
    }
  });

  test.each([
    ['{"ssn": 536221234, "n": 7}', { ssn: '[SSN_REDACTED]', n: 7 }],
    ['{"cards": [4111111111111111, 5]}', { cards: ['[CREDIT_CARD_REDACTED]', 5] }],
    [
      JSON.stringify({ body: JSON.stringify({ ssn: 536221234, n: 7 }) }),
      { body: JSON.stringify({ ssn: '[SSN_REDACTED]', n: 7 }) },
    ],
    ['{"jane.roe@example.org": 1, "firstName": "x"}', { '[EMAIL_REDACTED]': 1, firstName: 'x' }],
    [
      JSON.stringify({ path: 'C:\\new\\table', mail: '\\jane.roe@example.org' }),
      { path: 'C:\\new\\table', mail: '\\[EMAIL_REDACTED]' },
    ],
  ])('%s', (sent, expected) => {
    expect(JSON.parse(redact(sent, valuesIn(sent), 'FULL', hash))).toEqual(expected);
  });

  test("a rule's pattern never covers a quote, a comma or half an escape sequence", () => {
    const sent = '{"name": "a\\nfalcon", "next": "b\\u0041c", "n": 12}';
    const rules = ['/n?falcon", "next": "b.u00/', '/: 12/'];
    const matches = detect([{ source: 'prompt', text: sent }], { customRules: rules });
    const name = '[CUSTOM_RULE_REDACTED]';
    expect(JSON.parse(redact(sent, matches, 'FULL', hash))).toEqual({
      name: `a${name}`,
      next: `${name}c`,
      n: name,
    });
  });

  test("a scan's clean text is its input with the entities replaced", () => {
    const text = '{"ssn": 536221234}';
    const texts = [{ source: 'userInput', text }] as const;
    const policy = {
      sandboxType: 'FULL_SPECTRUM',
      guardianAction: 'REDACT_AND_CONTINUE',
      redactionStrategy: 'FULL',
    } as const;
    const { cleanTexts, entities } = finish(scanInSteps(texts, detect(texts), policy, hash));
    expect(cleanTexts.get('userInput')).toBe('{"ssn": "[SSN_REDACTED]"}');
    expect(entities).toEqual([
      expect.objectContaining({ originalValue: '536221234', redactedValue: '"[SSN_REDACTED]"' }),
    ]);
  });
});

test('redacted quoted YAML parses, and a redacted URL keeps its parameters', () => {
  const value = 'My data:\njane.roe@example.org\n536-22-1234';
  const yaml = OTHER_WRAPPINGS['YAML in quotes']!(value);
  expect(parse(redact(yaml, valuesIn(yaml), 'FULL', hash))).toEqual([
    { role: 'user', content: 'My data:\n[EMAIL_REDACTED]\n[SSN_REDACTED]' },
  ]);
  const url = OTHER_WRAPPINGS['a URL']!(value);
  const clean = new URL(redact(url, valuesIn(url), 'FULL', hash));
  expect([...clean.searchParams]).toEqual([
    ['q', 'My data:\n[EMAIL_REDACTED]\n[SSN_REDACTED]'],
    ['page', '2'],
  ]);
});

describe('no value is found in', () => {
  test.each([
    'Copy C:\\new\\table\\users\\reports to \\\\server\\new\\reports',
    '{"path": "C:\\\\new\\\\table\\\\users"}',
    'The pattern \\d{3}-\\d{2}-\\d{4}\\n matches',
    '\\textbf{bold} and $\\nu + \\theta$ with \\frac{1}{2}',
    '100%25 of &amp; and R&D, a %d and %02x',
    'https://a.example/?a=1&amp;b=2&lt=3',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b\\n',
    '{"firstName": 1, "billing_address": 2, "customerName": 3}',
    'Write &lt;script&gt;alert(1)&lt;/script&gt; in a page and it is shown',
  ])('%s', (text) => {
    expect(detect([{ source: 'prompt', text }])).toEqual([]);
  });
});

describe('user-perceived characters', () => {
  const family = '\u{1F469}\u200d\u{1F469}\u200d\u{1F467}';
  test.each([
    [`\ud83d536-22-1234\ud83d`, ['SSN 536-22-1234']],
    ['\u0000536-22-1234\u0000', ['SSN 536-22-1234']],
    ['A\u00004111 1111 1111 1111\u0000B', ['CREDIT_CARD 4111 1111 1111 1111']],
    ['name\u0000jane.roe@example.org\u0000next', ['EMAIL jane.roe@example.org']],
    ['\u001b[31m536-22-1234\u001b[0m', ['SSN 536-22-1234']],
    [`${family}jane.roe@example.org${family}`, ['EMAIL jane.roe@example.org']],
    [
      'j\u0000a\u0000n\u0000e\u0000@\u0000e\u0000x\u0000.\u0000o\u0000r\u0000g',
      ['EMAIL j\u0000a\u0000n\u0000e\u0000@\u0000e\u0000x\u0000.\u0000o\u0000r\u0000g'],
    ],
  ])('%j', (text, expected) => {
    expect(named(text, valuesIn(text))).toEqual(expected);
  });

  test.each([
    ['/\u{1F469}/u', `a ${family} b`, family],
    ['/e/', 'te\u0301t', 'e\u0301'],
    ['/\u{1F1E9}/u', '\u{1F1EB}\u{1F1F7}\u{1F1E9}\u{1F1EA}', '\u{1F1E9}\u{1F1EA}'],
    ['/\u{1F44D}/u', 'ok \u{1F44D}\u{1F3FD}', '\u{1F44D}\u{1F3FD}'],
    ['/\u2764/u', 'a \u2764\ufe0f b', '\u2764\ufe0f'],
  ])('rule %s covers whole characters of %j', (rule, text, expected) => {
    const [hit] = detect([{ source: 'prompt', text }], { customRules: [rule] });
    expect(text.slice(hit!.start, hit!.end)).toBe(expected);
  });
});
