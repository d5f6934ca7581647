import { afterAll, beforeAll, expect, test } from '#jest';
import { makeCustomer, makeSandbox, type TestCustomer } from '../helpers/customer.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** Detections that a sandbox suppresses, in scans and in audits. */

const ALLOWED = 'support@example.com';
const PROMPT = [
  `Write to ${ALLOWED} and test-17@example.net, from host 93.184.216.34.`,
  'Call +1 212 555 0187 or write to jane.roe@example.org.',
].join(' ');
const SETTINGS = {
  allowedValues: [ALLOWED],
  allowedCidrs: ['93.184.0.0/16'],
  allowedPatterns: ['test-\\d+@example\\.net'],
  detectorsOff: ['phone', 'phone-field'],
};

const dataDir = temporaryDataDir();
let service: TestService;
let customer: TestCustomer;
let other: TestCustomer;
beforeAll(async () => {
  service = await startService(dataDir, { LOG_LEVEL: 'debug' });
  customer = await makeCustomer(service, 'Allowing');
  other = await makeCustomer(service, 'Other');
  for (const { client } of [customer, other])
    await makeSandbox(client, 'desk', { sandboxType: 'PII_DETECTION' });
}, 120_000);
afterAll(async () => {
  await service?.killTree();
  removeDataDir(dataDir);
}, 60_000);

async function signalOf({ client }: TestCustomer, prompt: string, model = 'm') {
  const body = { sandboxSlug: 'desk', provider: 'openai', model, prompt, response: 'Done.' };
  const auditId = String((await client.request('POST', '/audit/ingest', body)).body.auditId);
  expect((await client.request('GET', `/audits/${auditId}?wait=30`)).body.status).toBe('COMPLETED');
  return (await client.request('GET', `/dashboard/signals/${auditId}`)).body;
}

interface Entity {
  readonly type: string;
  readonly originalValue: string;
}

async function scanOf({ client }: TestCustomer, userInput: string) {
  const { body } = await client.request('POST', '/guardian/scan', { sandbox: 'desk', userInput });
  const entities = body.detectedEntities as unknown as Entity[];
  return { body, values: entities.map(({ originalValue }) => originalValue) };
}

const suppressedOf = (body: Record<string, unknown>) =>
  (body.suppressed as { reason: string; detector: string; count: number }[]).map(
    ({ reason, detector, count }) => `${reason} ${detector} ${count}`,
  );

test('settings apply only to scans and audits of their sandbox, and the signal counts suppressed detections', async () => {
  const before = await scanOf(customer, PROMPT);
  expect(before.values).toHaveLength(5);
  const former = await signalOf(customer, PROMPT);
  expect(former).toMatchObject({ suppressed: [] });

  await customer.client.request('PATCH', '/sandboxes/desk', SETTINGS);
  const after = await scanOf(customer, PROMPT);
  expect(after.values).toEqual(['jane.roe@example.org']);
  expect(after.body.cleanPrompt).toContain(ALLOWED);
  const kinds = [
    'ALLOWED_CIDR ip-address 1',
    'ALLOWED_PATTERN email 1',
    'ALLOWED_VALUE email 1',
    'DETECTOR_OFF phone 1',
  ];
  expect(suppressedOf(after.body)).toEqual(kinds);

  const signal = await signalOf(customer, PROMPT);
  expect(signal.detections).toEqual([expect.objectContaining({ detector: 'email', count: 1 })]);
  expect(signal.confidences).toEqual([signal.confidence]);
  expect(suppressedOf(signal)).toEqual(kinds);
  expect(signal.reasoning).toContain('suppressed 4 matches');
  expect(JSON.stringify(signal)).not.toContain(ALLOWED);

  expect((await scanOf(other, PROMPT)).values).toEqual(before.values);
  expect(await signalOf(other, PROMPT)).toMatchObject({ suppressed: [] });
}, 60_000);

test('an audit with every detection suppressed is clean and shows the count', async () => {
  const signal = await signalOf(customer, `Mail ${ALLOWED}`);
  expect(signal).toMatchObject({ riskLevel: 'LOW', violations: [], piiDetected: false, alert: false });
  expect(suppressedOf(signal)).toEqual(['ALLOWED_VALUE email 1']);
  expect(signal.confidences).toEqual([]);
}, 60_000);

test('a minimum confidence suppresses weaker detections', async () => {
  await customer.client.request('PATCH', '/sandboxes/desk', { minConfidence: { EMAIL: 1 } });
  const { values, body } = await scanOf(customer, 'Mail jane.roe@example.org');
  expect(values).toEqual([]);
  expect(suppressedOf(body)).toEqual(['LOW_CONFIDENCE email 1']);
  const signal = await signalOf(customer, 'Mail jane.roe@example.org');
  expect(suppressedOf(signal)).toEqual(['LOW_CONFIDENCE email 1']);
}, 60_000);

test('the thread that searches long texts uses the same settings', async () => {
  const long = `${PROMPT} ${'Nothing else is in here. '.repeat(400)}`;
  const signal = await signalOf(customer, long);
  expect(suppressedOf(signal)).toContain('ALLOWED_CIDR ip-address 1');
}, 60_000);

test('versions list their changes, the ledger verifies, and no log line contains an allowed value', async () => {
  const { body } = await customer.client.request('GET', '/sandboxes/desk/versions');
  const changed = (body.data as unknown as { changedFields: string[] }[]).map(
    ({ changedFields }) => changedFields,
  );
  expect(changed).toEqual([
    ['minConfidence'],
    ['allowedValues', 'allowedCidrs', 'allowedPatterns', 'detectorsOff'],
    [],
  ]);
  const second = await customer.client.request('GET', '/sandboxes/desk/versions/2');
  expect(second.body.sandbox).toMatchObject({ ...SETTINGS, minConfidence: {} });
  const verified = await customer.client.request('GET', '/evidence/hash-chain/verify');
  expect(verified.body.data).toMatchObject({ status: 'VALID' });
  expect(service.output()).not.toContain(ALLOWED);
  expect(await (await fetch(`${service.url}/metrics`)).text()).not.toContain(ALLOWED);
}, 60_000);
