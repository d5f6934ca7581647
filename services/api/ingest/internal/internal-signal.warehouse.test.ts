import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Keyring } from '#platform/sealing/port.ts';
import { CUSTOMERS, PENDING_MARK_MS, REMEMBERED_MS } from '#platform/state/port.ts';
import { LOG_EPOCHS } from '#schemas/tables/tables.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { type Harness, internalHeaders, startHarness, type TestCustomer } from '../../testing/harness.ts';
import { type RealWarehouse, startRealWarehouse } from '../../testing/real-warehouse.ts';
import { sinkOf } from '../../testing/sink-of.ts';

const EPOCH = 1;
const DAY_MS = 86_400_000;
const GIVEN = '0b5f1c1e-7a52-4c6e-9d2b-3f6a1e0c9d11';

let real: RealWarehouse;
let harness: Harness;
let sink: ReturnType<typeof sinkOf>;
let customer: TestCustomer;
let sandbox: { id: string };
let crash = false;
let nextId = 0;

beforeAll(async () => {
  real = await startRealWarehouse();
  await real.insert(LOG_EPOCHS, [{ epoch: EPOCH, setUp: 'tests', at: '2026-11-01T00:00:00.000Z' }]);
  harness = await startHarness({
    warehouse: real.warehouse,
    dependencies: {
      probe: () => {
        if (crash) throw new Error('the process dies here');
      },
    },
  });
  sink = sinkOf(harness, real, EPOCH);
}, 60_000);
afterAll(async () => {
  await harness.close();
  await real.close();
});
beforeEach(async () => {
  harness.log.mode = 'takes';
  harness.skew = 0;
  crash = false;
  customer = await harness.customer();
  sandbox = await makeSandbox(customer.headers, 'support-chat', {
    regulations: ['GDPR', 'PCI_DSS'],
    alertThreshold: 'MEDIUM',
    region: 'EU',
    customRules: ['project falcon'],
  });
});

async function makeSandbox(headers: TestCustomer['headers'], slug: string, extra: object = {}) {
  const payload = { name: slug, slug, sandboxType: 'PII_DETECTION', ...extra };
  return (await harness.call({ method: 'POST', url: '/sandboxes', headers, payload })).body as { id: string };
}
/** A new id per use, of a UUID version that no ingested audit has. */
const freshId = (): string => `${GIVEN.slice(0, -4)}${(nextId++).toString(16).padStart(4, '0')}`;
const bodyOf = (change: object = {}) => ({
  auditId: freshId(),
  customerId: customer.id,
  sandboxSlug: 'support_chat',
  provider: 'openai',
  model: 'gpt-5',
  riskLevel: 'HIGH',
  violations: ['EMAIL'],
  reasoning: 'Found jane.roe@example.org and project falcon.',
  ...change,
});
const send = (payload: object, headers: Record<string, string> = internalHeaders) =>
  harness.call({ method: 'POST', url: '/internal/signal', headers, payload });
const get = (url: string) => harness.call({ url, headers: customer.headers });
const records = (auditId: string) =>
  harness.log.of(LEDGER.name).filter(({ headers }) => headers.auditId === auditId);
const statusOf = async (answer: ReturnType<typeof send>) => {
  const { status, body } = await answer;
  return status < 300 ? status : [status, body.code];
};
const ingest = async (): Promise<string> => {
  const payload = { sandboxSlug: 'support-chat', provider: 'a', model: 'm', prompt: 'p', response: '' };
  const answer = await harness.call({
    method: 'POST',
    url: '/audit/ingest',
    headers: customer.headers,
    payload,
  });
  return answer.body.auditId as string;
};

describe('a signal of the platform', () => {
  test('reaches the chain, the lists and the audit', async () => {
    const sent = bodyOf({
      sandboxId: sandbox.id,
      sandboxSlug: 'not-looked-at',
      violations: ['CREDIT_CARD', 'EMAIL', 'EMAIL'],
      promptTokens: 7,
      durationMs: 12.5,
      hasThinkingBlock: true,
      createdAt: '2024-02-29T10:00:00+02:00',
    });
    const before = await harness.state.admission.auditCount(customer.id, harness.dependencies.now());
    const answer = await send(sent);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      id: sent.auditId,
      auditId: sent.auditId,
      sandboxId: sandbox.id,
      sandboxSlug: 'support-chat',
      violations: ['CREDIT_CARD', 'EMAIL'],
      regulation: ['GDPR', 'PCI_DSS'],
      region: 'EU',
      alert: true,
      piiDetected: true,
      confidence: 1,
      policyVersion: null,
      source: 'INTERNAL',
      attempts: 0,
      createdAt: '2024-02-29T08:00:00.000Z',
    });
    const { data } = answer.body;
    const queued = (await get(`/audits/${sent.auditId}`)).body;
    expect(queued).toMatchObject({
      status: 'QUEUED',
      source: 'INTERNAL',
      attempts: 0,
      createdAt: data.acceptedAt,
      steps: [{ name: 'ACCEPTED', at: data.acceptedAt }],
    });

    await sink.fold(LEDGER.name);
    expect((await get(`/audits/${sent.auditId}`)).body).toMatchObject({
      status: 'COMPLETED',
      source: 'INTERNAL',
      attempts: 0,
      riskLevel: 'HIGH',
      createdAt: data.acceptedAt,
      completedAt: data.acceptedAt,
      durationMs: 12.5,
      steps: [
        { name: 'ACCEPTED', at: data.acceptedAt },
        { name: 'STORED', at: data.acceptedAt },
      ],
    });
    const signal = (await get(`/dashboard/signals/${sent.auditId}`)).body.data;
    expect(signal).toMatchObject(data);
    expect(signal).toMatchObject({
      reasoning: 'Found j*******@example.org and p*************.',
      detections: [],
      payloadDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      fingerprint: null,
    });
    const verification = (await get('/evidence/hash-chain/verify')).body.data;
    expect(verification).toMatchObject({ status: 'VALID', treeSize: 3, checkedEntries: 3 });
    expect(await harness.state.admission.auditCount(customer.id, harness.dependencies.now())).toBe(before);
    const held = Buffer.concat(records(sent.auditId).map(({ value }) => value));
    for (const raw of ['jane.roe', 'j*******@']) expect(held.includes(raw)).toBe(false);
  });

  test('gets omitted fields from its sandbox', async () => {
    const { body } = await send(
      bodyOf({ auditId: undefined, violations: [], riskLevel: 'LOW', reasoning: undefined }),
    );
    expect(body.auditId).toMatch(/^[0-9a-f-]{36}$/);
    expect(body).toMatchObject({
      regulation: [],
      piiDetected: false,
      alert: false,
      region: 'EU',
      promptTokens: null,
    });
    expect(body.createdAt).toBe(body.acceptedAt);
    const said = await send(
      bodyOf({ regulation: ['PCI-DSS'], region: 'US', piiDetected: false, confidence: 0.5 }),
    );
    expect(said.body).toMatchObject({
      regulation: ['PCI_DSS'],
      region: 'US',
      piiDetected: false,
      confidence: 0.5,
    });
  });

  test('is one per audit id: the same body gets 200, another one 409', async () => {
    const sent = bodyOf();
    const first = await send(sent);
    expect(first.status).toBe(201);
    const second = await send(Object.fromEntries(Object.entries(sent).reverse()));
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await statusOf(send({ ...sent, riskLevel: 'LOW' }))).toEqual([409, 'CONFLICT']);
    expect(records(sent.auditId)).toHaveLength(1);
  });

  test('sent many times at once is created once', async () => {
    const sent = bodyOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(sent)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    await sink.fold(LEDGER.name);
    expect((await get('/dashboard/signals')).body.pagination.total).toBe(1);
    expect((await get('/evidence/hash-chain/verify')).body.data).toMatchObject({
      status: 'VALID',
      treeSize: 3,
    });
  });

  test('of one customer leaves the id free for another', async () => {
    const sent = bodyOf();
    await send(sent);
    const other = await harness.customer();
    await makeSandbox(other.headers, 'support-chat');
    expect(await statusOf(send({ ...sent, customerId: other.id }))).toBe(201);
  });
});

describe('an append whose answer is lost', () => {
  test('gets 503; the repeat appends the same entry again, and one signal is stored', async () => {
    const sent = bodyOf();
    harness.log.mode = 'lost answer';
    expect(await statusOf(send(sent))).toEqual([503, 'UNAVAILABLE']);
    harness.log.mode = 'takes';
    expect((await get(`/audits/${sent.auditId}`)).body.status).toBe('QUEUED');
    expect(await statusOf(send({ ...sent, model: 'other' }))).toEqual([409, 'CONFLICT']);
    harness.skew = 60_000;
    const repeat = await send(sent);
    expect(repeat.status).toBe(201);
    const [one, again] = records(sent.auditId);
    expect(again!.value).toEqual(one!.value);
    await sink.fold(LEDGER.name);
    const audit = (await get(`/audits/${sent.auditId}`)).body;
    expect([audit.status, audit.createdAt]).toEqual(['COMPLETED', repeat.body.acceptedAt]);
    expect(await statusOf(send(sent))).toBe(200);
    expect((await get('/evidence/hash-chain/verify')).body.data).toMatchObject({
      status: 'VALID',
      treeSize: 3,
    });
  });

  test('because the process died is recognised by the repeat, even without an audit id', async () => {
    const { auditId: _none, ...sent } = bodyOf();
    const headers = { ...internalHeaders, 'idempotency-key': `died-${freshId()}` };
    crash = true;
    expect((await send(sent, headers)).status).toBe(500);
    crash = false;
    const repeat = await send(sent, headers);
    expect(repeat.status).toBe(201);
    expect(records(repeat.body.auditId)).toHaveLength(2);
    const replayed = await send(sent, headers);
    expect([replayed.status, replayed.text]).toEqual([201, repeat.text]);
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(await statusOf(send({ ...sent, model: 'x' }, headers))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('but certainly did not happen leaves no trace', async () => {
    const sent = bodyOf();
    harness.log.mode = 'refuses';
    expect(await statusOf(send(sent))).toEqual([503, 'UNAVAILABLE']);
    harness.log.mode = 'takes';
    expect((await get(`/audits/${sent.auditId}`)).status).toBe(404);
    expect(await statusOf(send(sent))).toBe(201);
  });
});

describe('after a day', () => {
  test('the stored signal is compared', async () => {
    const sent = bodyOf();
    const first = await send(sent);
    await sink.fold(LEDGER.name);
    harness.skew = REMEMBERED_MS + 1_000;
    const repeat = await send(sent);
    expect([repeat.status, repeat.body]).toEqual([200, first.body]);
    expect(await statusOf(send({ ...sent, riskLevel: 'LOW' }))).toEqual([409, 'CONFLICT']);
    expect(records(sent.auditId)).toHaveLength(1);
  });

  test('an erased one cannot be created again', async () => {
    const sent = bodyOf();
    await send(sent);
    await sink.fold(LEDGER.name);
    harness.skew = REMEMBERED_MS + 1_000;
    await real.warehouse.command(
      'ALTER TABLE signals UPDATE payloadDigest = NULL WHERE auditId = {id:String} SETTINGS mutations_sync = 2',
      { id: sent.auditId },
    );
    expect(await statusOf(send(sent))).toEqual([409, 'CONFLICT']);
  });
});

describe('the id of an ingested audit', () => {
  test('is refused in flight and when stored', async () => {
    const auditId = await ingest();
    expect(await statusOf(send(bodyOf({ auditId })))).toEqual([409, 'CONFLICT']);
    expect(await statusOf(send(bodyOf({ auditId: auditId.toUpperCase() })))).toEqual([409, 'CONFLICT']);
    await sink.fold(TRIPLETS.name);
    expect(await harness.state.admission.pendingMark(customer.id, auditId)).toBeNull();
    expect(await statusOf(send(bodyOf({ auditId })))).toEqual([409, 'CONFLICT']);
    expect(records(auditId)).toEqual([]);
  });

  test('gets 503 while a lagging list may not have it', async () => {
    const auditId = await ingest();
    harness.skew = PENDING_MARK_MS + 1_000;
    expect(await statusOf(send(bodyOf({ auditId })))).toEqual([503, 'UNAVAILABLE']);
    await sink.fold(TRIPLETS.name);
    expect(await statusOf(send(bodyOf({ auditId })))).toEqual([409, 'CONFLICT']);
  });
});

describe('a platform signal is refused', () => {
  test('without the secret', async () => {
    for (const headers of [{}, { ...customer.headers }, { 'x-internal-secret': 'wrong-secret-000000' }])
      expect(await statusOf(send(bodyOf(), headers))).toEqual([401, 'INVALID_INTERNAL_SECRET']);
  });

  test('for unknown customers and sandboxes', async () => {
    const other = await harness.customer();
    const foreign = await makeSandbox(other.headers, 'foreign');
    const unknown = harness.dependencies.newId(harness.dependencies.now());
    for (const customerId of [unknown, 'nobody', ''])
      expect(await statusOf(send(bodyOf({ customerId })))).toEqual([404, 'NOT_FOUND']);
    for (const sandboxId of [unknown, foreign.id, 'support-chat', ''])
      expect(await statusOf(send(bodyOf({ sandboxId })))).toEqual([404, 'NOT_FOUND']);
    expect(await statusOf(send(bodyOf({ sandboxSlug: 'foreign' })))).toEqual([400, 'SANDBOX_NOT_FOUND']);
    await harness.call({ method: 'DELETE', url: `/sandboxes/${sandbox.id}`, headers: customer.headers });
    expect(await statusOf(send(bodyOf()))).toEqual([400, 'SANDBOX_NOT_FOUND']);
    expect(await statusOf(send(bodyOf({ sandboxId: sandbox.id })))).toEqual([404, 'NOT_FOUND']);
  });

  test('for a customer that is being erased, before and after its key is gone', async () => {
    const sent = bodyOf();
    await (harness.dependencies.keyring as Keyring).destroy(customer.id);
    expect(await statusOf(send(sent))).toEqual([409, 'CUSTOMER_ERASED']);
    const ref = { scope: customer.id, collection: CUSTOMERS, id: customer.id };
    const stored = (await harness.state.documents.get<object>(ref))!.value;
    await harness.state.documents.write(customer.id, [{ ...ref, value: { ...stored, active: false } }]);
    expect(await statusOf(send(sent))).toEqual([409, 'CUSTOMER_ERASED']);
    expect(records(sent.auditId)).toEqual([]);
  });

  test.each([
    ['no sandbox', { sandboxSlug: undefined }],
    ['no customer', { customerId: undefined }],
    ['an id that is not a UUID', { auditId: 'audit-1' }],
    ['an unknown level', { riskLevel: 'SEVERE' }],
    ['an unknown code', { violations: ['RUDENESS'] }],
    ['CSAM that is not CRITICAL', { violations: ['CSAM'] }],
    ['a confidence above 1', { confidence: 1.5 }],
    ['a negative duration', { durationMs: -1 }],
    ['tokens in words', { promptTokens: 'many' }],
    ['an unknown region', { region: 'MARS' }],
    ['a regulation that is not a code', { regulation: ['gdpr!'] }],
    ['a provider of punctuation', { provider: '?!' }],
    ['a model with control characters', { model: 'a\u0000b' }],
    ['a reasoning that is too long', { reasoning: 'x'.repeat(10_001) }],
    ['an invalid time', { createdAt: 'yesterday' }],
    ['the future', { createdAt: new Date(Date.now() + DAY_MS).toISOString() }],
    ['eight years ago', { createdAt: new Date(Date.now() - 8 * 365 * DAY_MS).toISOString() }],
  ])('for %s', async (_name, change) => {
    const sent = bodyOf(change);
    expect(await statusOf(send(sent))).toEqual([400, 'INVALID_REQUEST']);
    expect(records(String(sent.auditId))).toEqual([]);
  });

  test('but not for any time within seven years', async () => {
    const createdAt = new Date(Date.now() - 7 * 365 * DAY_MS).toISOString();
    expect(
      (await send(bodyOf({ createdAt, violations: ['CSAM'], riskLevel: 'CRITICAL' }))).body.createdAt,
    ).toBe(createdAt);
  });
});
