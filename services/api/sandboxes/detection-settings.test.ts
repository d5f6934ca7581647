import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { LEDGER } from '#schemas/topics.ts';
import { type Answered, type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  customer = await harness.customer();
});

const NOTHING = {
  allowedValues: [],
  allowedCidrs: [],
  allowedPatterns: [],
  detectorsOff: [],
  minConfidence: {},
};
const SETTINGS = {
  allowedValues: ['support@example.com', '@example.org'],
  allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'],
  allowedPatterns: ['test-\\d+@example\\.net'],
  detectorsOff: ['high-entropy'],
  minConfidence: { PERSON: 0.9, default: 0.2 },
};

const send = (method: 'GET' | 'POST' | 'PATCH' | 'PUT', url: string, payload?: object): Promise<Answered> =>
  harness.call({ method, url, headers: customer.headers, ...(payload === undefined ? {} : { payload }) });
const make = (extra: object = {}) =>
  send('POST', '/sandboxes', { name: 'S', slug: 'desk', sandboxType: 'FULL_SPECTRUM', ...extra });
const entries = async () => {
  await harness.settled();
  return harness.log
    .of(LEDGER.name)
    .filter(({ key }) => key === customer.id)
    .map(({ value }) => harness.dependencies.codec.decodeLedgerEntry(value));
};

test('detection settings are stored with a version, shown, and kept by other changes', async () => {
  const made = await make(SETTINGS);
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ version: 1, ...SETTINGS });
  const changed = await send('PATCH', '/sandboxes/desk', { name: 'T' });
  expect(changed.body).toMatchObject({ version: 2, name: 'T', ...SETTINGS });
  const one = await send('PATCH', '/sandboxes/desk', { allowedValues: ['a', 'b', 'a'] });
  expect(one.body).toMatchObject({ version: 3, ...SETTINGS, allowedValues: ['a', 'b'] });
  const replaced = await send('PUT', '/sandboxes/desk', { name: 'T', sandboxType: 'FULL_SPECTRUM' });
  expect(replaced.body).toMatchObject({ version: 4, ...NOTHING });
});

test('detection settings without an effective change make no version, whatever their order', async () => {
  const made = await make();
  expect(made.body).toMatchObject(NOTHING);
  expect((await send('PATCH', '/sandboxes/desk', NOTHING)).body.version).toBe(1);
  await send('PATCH', '/sandboxes/desk', { minConfidence: { PERSON: 0.9, default: 0.2 } });
  const again = await send('PATCH', '/sandboxes/desk', { minConfidence: { default: 0.2, PERSON: 0.9 } });
  expect(again.body.version).toBe(2);
});

test('detection settings are in the sealed detail of the version’s entry, never in its core', async () => {
  await make(SETTINGS);
  const [entry] = (await entries()).filter(({ kind }) => kind === 'POLICY_EVENT');
  for (const text of ['support@example.com', '203.0.113', 'high-entropy']) {
    expect(entry!.core).not.toContain(text);
    expect(JSON.stringify(entry)).not.toContain(text);
  }
});

describe('invalid detection settings are refused with their path:', () => {
  const list = (length: number, of = (n: number) => `v${n}`) => Array.from({ length }, (_, n) => of(n));
  test.each([
    ['501 values', { allowedValues: list(501) }, 'allowedValues'],
    ['a value of 257 characters', { allowedValues: ['x'.repeat(257)] }, 'allowedValues.0'],
    ['a blank value', { allowedValues: ['ok', ' '] }, 'allowedValues.1: the value must not be blank'],
    ['101 networks', { allowedCidrs: list(101, (n) => `10.0.${n}.0/24`) }, 'allowedCidrs'],
    [
      'an invalid network',
      { allowedCidrs: ['10.0.0.0/8', '10.0.0.0/40'] },
      'allowedCidrs.1: must be a network',
    ],
    ['a network of 65 characters', { allowedCidrs: ['1'.repeat(65)] }, 'allowedCidrs.0'],
    ['51 patterns', { allowedPatterns: list(51) }, 'allowedPatterns'],
    ['a pattern of 501 characters', { allowedPatterns: ['x'.repeat(501)] }, 'allowedPatterns.0'],
    ['a broken pattern', { allowedPatterns: ['('] }, 'allowedPatterns.0: invalid pattern'],
    [
      'a detector misspelt',
      { detectorsOff: ['phone_field'] },
      'detectorsOff.0: no detector has this name; the nearest are phone-field',
    ],
    [
      'a detector that is always on',
      { detectorsOff: ['csam'] },
      'detectorsOff.0: this detector is always on',
    ],
    ['more detectors than there are', { detectorsOff: list(200, () => 'email') }, 'detectorsOff'],
    ['a minimum above 1', { minConfidence: { email: 1.5 } }, 'minConfidence.email'],
    ['a minimum that is not a number', { minConfidence: { email: 'high' } }, 'minConfidence.email'],
    [
      'a minimum of nothing known',
      { minConfidence: { EMIAL: 0.5 } },
      'minConfidence: no detector or entity type has this name; the nearest are EMAIL',
    ],
    [
      'a minimum of what is always on',
      { minConfidence: { csam: 0.5 } },
      'minConfidence: this detector is always on',
    ],
    ['settings that are not a list', { allowedValues: 'support@example.com' }, 'allowedValues'],
  ])('%s', async (_, settings, message) => {
    await make();
    for (const answer of [
      await send('PATCH', '/sandboxes/desk', settings),
      await send('PUT', '/sandboxes/desk', { name: 'S', sandboxType: 'CUSTOM', ...settings }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(answer.body.message).toContain(message);
    }
    expect((await send('GET', '/sandboxes/desk')).body).toMatchObject({ version: 1, ...NOTHING });
  });

  test('up to the maximum they are accepted', async () => {
    const most = {
      allowedValues: list(500),
      allowedCidrs: list(100, (n) => `10.0.${n}.0/24`),
      allowedPatterns: list(50, (n) => `id-${n}`),
    };
    expect((await make(most)).body).toMatchObject(most);
  });
});

describe('a scan', () => {
  const scan = async (userInput: string, sandbox = 'desk') =>
    (await send('POST', '/guardian/scan', { sandbox, userInput })).body;

  test('omits allowed matches, and reports how many per setting', async () => {
    await make(SETTINGS);
    const text = 'Mail support@example.com, test-7@example.net and jane.roe@example.com.';
    const answer = await scan(text);
    expect(answer.detectedEntities.map((one: { originalValue: string }) => one.originalValue)).toEqual([
      'jane.roe@example.com',
    ]);
    expect(answer.cleanPrompt).toBe('Mail support@example.com, test-7@example.net and [EMAIL_REDACTED].');
    const kind = { detector: 'email', code: 'EMAIL', type: 'EMAIL', count: 1 };
    expect(answer.suppressed).toEqual([
      { reason: 'ALLOWED_PATTERN', ...kind },
      { reason: 'ALLOWED_VALUE', ...kind },
    ]);
    expect(answer.reasoning).toContain('The settings of this sandbox suppressed 2 matches');
    expect(await scan('Mail support@example.com')).toMatchObject({ action: 'ALLOW', violations: [] });
  });

  test('for a sandbox without settings does not mention them', async () => {
    await make();
    expect(await scan('Mail support@example.com')).not.toHaveProperty('suppressed');
  });

  test('reports positions in UTF-16 units and in code points', async () => {
    await make();
    const text = '👩‍👩‍👧 e\u0301 𝒜 mail jane.roe@example.com 🇩🇪 and bob@example.org';
    const { detectedEntities } = await scan(text);
    expect(detectedEntities).toHaveLength(2);
    for (const { originalValue, start, end, startCodePoint, endCodePoint } of detectedEntities) {
      expect(text.slice(start, end)).toBe(originalValue);
      expect(Array.from(text).slice(startCodePoint, endCodePoint).join('')).toBe(originalValue);
      expect(startCodePoint).toBeLessThan(start);
    }
  });
});
