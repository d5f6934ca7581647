import { createHash } from 'node:crypto';
import { canonicalJson } from '#core/evidence/canonical-json.ts';
import { isGenuine } from '#core/evidence/tree/receipts.ts';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { TRIPLETS } from '#schemas/topics.ts';
import { type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';

let harness: Harness;
let customer: TestCustomer;
const triplet = {
  sandboxSlug: 'support',
  provider: 'openai',
  model: 'gpt-4o',
  prompt: 'Hello',
  response: 'Hi',
};

const sandbox = (headers: TestCustomer['headers'], slug = 'support') =>
  harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers,
    payload: { name: 'Support', slug, sandboxType: 'FULL_SPECTRUM' },
  });
const ingest = (headers: Record<string, string>, payload: object = triplet) =>
  harness.call({ method: 'POST', url: '/audit/ingest', headers, payload });
const triplets = () => harness.log.of(TRIPLETS.name);

beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer();
  expect((await sandbox(customer.headers)).status).toBe(201);
});
afterAll(() => harness.close());

describe('a triplet', () => {
  test('is accepted with a complete record in the log', async () => {
    const answer = await ingest(customer.headers, {
      ...triplet,
      metadata: { thinkingBlock: 't', promptTokens: 3 },
    });
    expect(answer.status).toBe(202);
    const record = triplets().at(-1)!;
    expect(record.key).toBe(answer.body.auditId);
    expect(record.headers).toMatchObject({
      auditId: answer.body.auditId,
      customerId: customer.id,
      sandboxSlug: 'support',
      attempt: '1',
      generation: '0',
    });
    const event = harness.dependencies.codec.decodeTriplet(record.value);
    expect(event).toMatchObject({ auditId: answer.body.auditId, promptTokens: 3, hasThinkingBlock: true });
    expect(record.value.includes(Buffer.from('Hello'))).toBe(false);
  });

  test('gets a verifiable receipt', async () => {
    const sent = { ...triplet, unknown: ['kept in the digest'], prompt: 'half \ud800 pair' };
    const answer = await ingest(customer.headers, sent);
    const { receipt } = answer.body.data;
    const keys = await harness.call({ url: '/evidence/hash-chain/keys', headers: customer.headers });
    const { publicKey, keyId } = keys.body.data[0];
    expect(receipt.keyId).toBe(keyId);
    expect(isGenuine(receipt, Buffer.from(publicKey, 'base64'))).toBe(true);
    // No receipt waits for others, and a single one is signed alone.
    expect(receipt).not.toHaveProperty('inclusion');
    const canonical = canonicalJson({ ...sent, prompt: 'half \ufffd pair' });
    const digest = createHash('sha256').update(receipt.nonce, 'hex').update(canonical).digest('hex');
    expect(receipt.payloadDigest).toBe(digest);
    const record = triplets().at(-1)!;
    expect({ partition: receipt.partition, offset: receipt.offset }).toEqual({
      partition: record.partition,
      offset: record.offset,
    });
  });
});

describe('an Idempotency-Key', () => {
  const withKey = (key: string) => ({ ...customer.headers, 'idempotency-key': key });

  test('used fifty times at once creates one audit', async () => {
    const before = triplets().length;
    const answers = await Promise.all(Array.from({ length: 50 }, () => ingest(withKey('fifty'))));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted.length).toBeGreaterThan(0);
    expect(new Set(accepted.map(({ body }) => body.auditId)).size).toBe(1);
    for (const { status, body } of answers) {
      if (status !== 202) expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT']);
    }
    expect(triplets().length).toBe(before + 1);
    const replayed = await ingest(withKey('fifty'));
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.text).toBe(accepted[0]!.text);
  });

  test('is the same bare and quoted, counts once, and refuses another body', async () => {
    const before = await harness.state.admission.auditCount(customer.id, harness.dependencies.now());
    const first = await ingest(withKey('quoted'));
    const second = await ingest(withKey('"quoted"'));
    expect(second.body.auditId).toBe(first.body.auditId);
    const other = await ingest(withKey('quoted'), { ...triplet, prompt: 'other' });
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await harness.state.admission.auditCount(customer.id, harness.dependencies.now())).toBe(
      before + 1,
    );
  });

  test('does not remember a refusal', async () => {
    const refused = await ingest(withKey('later'), { ...triplet, sandboxSlug: 'later' });
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      400,
      'SANDBOX_NOT_FOUND',
      'Sandbox not found',
    ]);
    await sandbox(customer.headers, 'later');
    expect((await ingest(withKey('later'), { ...triplet, sandboxSlug: 'later' })).status).toBe(202);
  });

  test.each(['', 'k'.repeat(256), 'ümlaut'])('%j is refused', async (key) => {
    const answer = await ingest(withKey(key));
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  test('belongs to one customer', async () => {
    const other = await harness.customer();
    await sandbox(other.headers);
    const mine = await ingest(withKey('mine'));
    const theirs = await ingest({ ...other.headers, 'idempotency-key': 'mine' });
    expect(theirs.status).toBe(202);
    expect(theirs.body.auditId).not.toBe(mine.body.auditId);
  });
});

describe('an append that fails', () => {
  const count = () => harness.state.admission.auditCount(customer.id, harness.dependencies.now());
  const broken = async <T>(mode: Harness['log']['mode'], run: () => Promise<T>): Promise<T> => {
    harness.log.mode = mode;
    return run().finally(() => {
      harness.log.mode = 'takes';
    });
  };

  test('certainly releases the count', async () => {
    const before = [await count(), triplets().length];
    const answer = await broken('refuses', () => ingest(customer.headers));
    expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBe('1');
    expect([await count(), triplets().length]).toEqual(before);
  });

  test('uncertainly keeps the count, and a repeat appends the same id', async () => {
    const before = await count();
    const headers = { ...customer.headers, 'idempotency-key': 'uncertain' };
    const answer = await broken('lost answer', () => ingest(headers));
    expect(answer.status).toBe(503);
    const lost = triplets().at(-1)!.key;
    const repeat = await ingest(headers);
    expect([repeat.status, repeat.body.auditId]).toEqual([202, lost]);
    expect(await count()).toBe(before + 1);
  });

  test('certainly, after one that failed uncertainly, keeps the count', async () => {
    const before = await count();
    const headers = { ...customer.headers, 'idempotency-key': 'twice' };
    await broken('lost answer', () => ingest(headers));
    const lost = triplets().at(-1)!.key;
    await broken('refuses', () => ingest(headers));
    expect(await count()).toBe(before + 1);
    expect((await ingest(headers)).body.auditId).toBe(lost);
    expect(await count()).toBe(before + 1);
  });
});

describe('the quota', () => {
  test('admits exactly 1,000 of 1,001 parallel ingests', async () => {
    const dev = await harness.customer('DEV');
    await sandbox(dev.headers);
    const before = triplets().length;
    const answers = await Promise.all(Array.from({ length: 1_001 }, () => ingest(dev.headers)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1_000);
    const refused = answers.find(({ status }) => status !== 202)!;
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      403,
      'AUDIT_LIMIT_REACHED',
      'DEV plan audit limit of 1000 reached. Upgrade to PRO.',
    ]);
    expect(triplets().length).toBe(before + 1_000);
  });
});

test('an audit can be read right after its 202', async () => {
  const accepted = await ingest(customer.headers);
  const { auditId } = accepted.body;
  const audit = await harness.call({ url: `/audits/${auditId}`, headers: customer.headers });
  expect(audit.body).toMatchObject({
    auditId,
    status: 'QUEUED',
    createdAt: accepted.body.data.acceptedAt,
    steps: [{ name: 'ACCEPTED', at: accepted.body.data.acceptedAt }],
  });
});
