import { createHash } from 'node:crypto';
import { canonicalJson } from '#core/evidence/canonical-json.ts';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import {
  type Batches,
  codesOf,
  idsOf,
  resultsOf,
  startBatches,
  TRIPLET,
  triplets,
} from '../testing/batches.ts';

let batches: Batches;
beforeAll(async () => {
  batches = await startBatches();
  expect((await batches.makeSandbox(batches.customer.headers, 'asleep', false)).status).toBe(201);
});
afterAll(() => batches.harness.close());

const send: Batches['send'] = (...sent) => batches.send(...sent);

describe('a batch', () => {
  test('as an array or as lines is accepted in order, with ascending ids and complete records', async () => {
    const lines = triplets(3).map((each) => JSON.stringify(each));
    for (const run of [() => send(triplets(3)), () => batches.sendLines([...lines, '', ' \r', ''])]) {
      const answer = await run();
      expect(answer.status).toBe(202);
      expect(answer.body).toMatchObject({ success: true, accepted: 3, rejected: 0 });
      expect(resultsOf(answer).map(({ index }) => index)).toEqual([0, 1, 2]);
      const ids = idsOf(answer);
      expect(ids).toEqual([...ids].sort());
      const appended = batches.records().slice(-3);
      expect(appended.map(({ key }) => key)).toEqual(ids);
      for (const [n, record] of appended.entries()) {
        expect(record.headers).toMatchObject({
          auditId: ids[n],
          customerId: batches.customer.id,
          generation: '0',
        });
        const event = batches.harness.dependencies.codec.decodeTriplet(record.value);
        expect(event).toMatchObject({
          auditId: ids[n],
          customerId: batches.customer.id,
          sandboxSlug: 'support',
        });
        expect(record.value.includes(Buffer.from('Hello'))).toBe(false);
      }
      const last = await batches.harness.call({
        url: `/audits/${ids[2]}`,
        headers: batches.customer.headers,
      });
      expect(last.body).toMatchObject({ status: 'QUEUED', auditId: ids[2] });
    }
  });

  test('has one nonce, with which the digest of each item as sent can be verified', async () => {
    const sent = [
      { ...TRIPLET, unknown: { b: 1, a: ['kept in the digest'] } },
      { ...TRIPLET, prompt: 'half \ud800 pair' },
    ];
    const answer = await send(sent);
    const digests = batches
      .records()
      .slice(-2)
      .map((record) =>
        Buffer.from(batches.harness.dependencies.codec.decodeTriplet(record.value).payloadDigest).toString(
          'hex',
        ),
      );
    const expected = [sent[0], { ...TRIPLET, prompt: 'half \ufffd pair' }].map((item) =>
      createHash('sha256').update(answer.body.nonce, 'hex').update(canonicalJson(item)).digest('hex'),
    );
    expect(digests).toEqual(expected);
  });

  test('of 1,000 is accepted, of 1,001 refused as a whole', async () => {
    const before = batches.records().length;
    const refused = await send(triplets(1_001));
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(batches.records().length).toBe(before);
    const accepted = await send(triplets(1_000));
    expect([accepted.status, accepted.body.accepted]).toEqual([202, 1_000]);
    expect(new Set(idsOf(accepted)).size).toBe(1_000);
    expect(batches.records().length).toBe(before + 1_000);
  });
});

describe('a refused item', () => {
  const BROKEN: readonly (readonly [string, unknown, number, string])[] = [
    ['is not an object', 7, 400, 'INVALID_REQUEST'],
    ['is null', null, 400, 'INVALID_REQUEST'],
    ['is an array', [TRIPLET], 400, 'INVALID_REQUEST'],
    ['lacks a field', { ...TRIPLET, prompt: undefined }, 400, 'INVALID_REQUEST'],
    ['has an empty prompt', { ...TRIPLET, prompt: '' }, 400, 'INVALID_REQUEST'],
    [
      'has large customFields',
      { ...TRIPLET, metadata: { customFields: { a: 'x'.repeat(16_384) } } },
      400,
      'CUSTOM_FIELDS_TOO_LARGE',
    ],
    ['is over 2 MiB', { ...TRIPLET, response: 'x'.repeat(2 * 1024 * 1024) }, 413, 'BODY_TOO_LARGE'],
    ['names no sandbox', { ...TRIPLET, sandboxSlug: 'nowhere' }, 400, 'SANDBOX_NOT_FOUND'],
    ['names an inactive sandbox', { ...TRIPLET, sandboxSlug: 'asleep' }, 400, 'SANDBOX_INACTIVE'],
  ];

  test.each(BROKEN)('that %s gets its error between two accepted ones', async (_name, item, status, code) => {
    const before = [await batches.count(), batches.records().length];
    const answer = await send([TRIPLET, item, TRIPLET]);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ success: true, accepted: 2, rejected: 1 });
    expect(codesOf(answer)).toEqual(['QUEUED', code, 'QUEUED']);
    const { error } = resultsOf(answer)[1]!;
    expect(error?.statusCode).toBe(status);
    expect(error?.message).not.toContain('xxx');
    expect([await batches.count(), batches.records().length]).toEqual([before[0]! + 2, before[1]! + 2]);
  });

  test('has the same message as alone', async () => {
    for (const item of [
      { ...TRIPLET, model: 1 },
      { ...TRIPLET, sandboxSlug: 'nowhere' },
    ]) {
      const alone = await batches.harness.call({
        method: 'POST',
        url: '/audit/ingest',
        headers: batches.customer.headers,
        payload: item,
      });
      const { statusCode, code, message } = alone.body;
      expect(resultsOf(await send([item]))[0]?.error).toEqual({ statusCode, code, message });
    }
  });

  test('with a broken line, or without UTF-8, affects no other', async () => {
    const line = JSON.stringify(TRIPLET);
    const answer = await batches.sendLines([line, '{"sandboxSlug": ', line]);
    expect([answer.status, ...codesOf(answer)]).toEqual([202, 'QUEUED', 'INVALID_JSON', 'QUEUED']);
    const bytes = Buffer.concat([Buffer.from(`${line}\n"`), Buffer.from([0xff]), Buffer.from(`"\n${line}`)]);
    const other = await batches.post(bytes, 'application/x-ndjson', batches.customer.headers);
    expect([other.status, ...codesOf(other)]).toEqual([202, 'QUEUED', 'INVALID_JSON', 'QUEUED']);
  });

  test('gives 400 in the same shape if all are refused, and nothing is counted or remembered', async () => {
    const before = [await batches.count(), batches.records().length];
    const headers = { ...batches.customer.headers, 'idempotency-key': 'all refused' };
    const items = [{ ...TRIPLET, sandboxSlug: 'later' }, 7];
    const answer = await send(items, headers);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ success: false, accepted: 0, rejected: 2 });
    expect(codesOf(answer)).toEqual(['SANDBOX_NOT_FOUND', 'INVALID_REQUEST']);
    expect([await batches.count(), batches.records().length]).toEqual(before);
    await batches.makeSandbox(batches.customer.headers, 'later');
    const repeat = await send(items, headers);
    expect([repeat.status, ...codesOf(repeat)]).toEqual([202, 'QUEUED', 'INVALID_REQUEST']);
  });
});

describe('a batch as a whole', () => {
  const JSON_TYPE = 'application/json';
  test.each<[string, string, string, number, string]>([
    ['without items', '[]', JSON_TYPE, 400, 'INVALID_REQUEST'],
    ['of empty lines', ' \n\n', 'application/x-ndjson', 400, 'INVALID_REQUEST'],
    ['that is empty', '', JSON_TYPE, 400, 'INVALID_JSON'],
    ['that is not an array', JSON.stringify(TRIPLET), JSON_TYPE, 400, 'INVALID_REQUEST'],
    ['that is not JSON', '{"sandboxSlug": ', JSON_TYPE, 400, 'INVALID_JSON'],
    ['with a broken element', `[${JSON.stringify(TRIPLET)},{]`, JSON_TYPE, 400, 'INVALID_JSON'],
    ['that does not end', `[${JSON.stringify(TRIPLET)}`, JSON_TYPE, 400, 'INVALID_JSON'],
    ['with something after it', `[${JSON.stringify(TRIPLET)}] x`, JSON_TYPE, 400, 'INVALID_JSON'],
    ['of another type', JSON.stringify([TRIPLET]), 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['over 16 MiB', `[${' '.repeat(16 * 1024 * 1024)}]`, JSON_TYPE, 413, 'BODY_TOO_LARGE'],
  ])('%s is refused', async (_name, body, type, status, code) => {
    const before = [await batches.count(), batches.records().length];
    const answer = await batches.post(body, type, batches.customer.headers);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect([await batches.count(), batches.records().length]).toEqual(before);
  });
});

describe('the quota', () => {
  test('is used up in the order of the items; then nothing is accepted', async () => {
    const small = await batches.harness.customer('DEV', { auditQuota: 3 });
    await batches.makeSandbox(small.headers);
    const items = [TRIPLET, { ...TRIPLET, sandboxSlug: 'nowhere' }, TRIPLET, TRIPLET, TRIPLET];
    const answer = await send(items, small.headers);
    expect(answer.status).toBe(202);
    expect(codesOf(answer)).toEqual([
      'QUEUED',
      'SANDBOX_NOT_FOUND',
      'QUEUED',
      'QUEUED',
      'AUDIT_LIMIT_REACHED',
    ]);
    expect(resultsOf(answer)[4]?.error).toMatchObject({
      statusCode: 403,
      message: 'DEV plan audit limit of 3 reached. Upgrade to PRO.',
    });
    expect(await batches.count(small)).toBe(3);
    const before = batches.records().length;
    const refused = await send(items, small.headers);
    expect([refused.status, refused.body.code]).toEqual([403, 'AUDIT_LIMIT_REACHED']);
    expect([await batches.count(small), batches.records().length]).toEqual([3, before]);
  });

  test('of 1,000 admits exactly 1,000 items of ten concurrent batches', async () => {
    const dev = await batches.harness.customer('DEV');
    await batches.makeSandbox(dev.headers);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(triplets(150), dev.headers)));
    const accepted = answers
      .filter(({ status }) => status === 202)
      .map(({ body }) => body.accepted as number);
    expect(accepted.reduce((sum, each) => sum + each, 0)).toBe(1_000);
    expect(await batches.count(dev)).toBe(1_000);
  });
});

describe('the rate limit', () => {
  test('takes one token per started 100 items, and reports what is left', async () => {
    const limited = await batches.harness.customer('PRO', { rate: 0.001, burst: 20 });
    await batches.makeSandbox(limited.headers);
    const left = async (items: number) =>
      Number((await send(triplets(items), limited.headers)).headers['x-ratelimit-remaining']);
    expect(await left(100)).toBe(18);
    expect(await left(101)).toBe(16);
    expect(await left(1_000)).toBe(6);
    const before = [await batches.count(limited), batches.records().length];
    const refused = await send(triplets(601), limited.headers);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect([await batches.count(limited), batches.records().length]).toEqual(before);
    // The refused one cost only the token of the request.
    expect(await left(401)).toBe(0);
  });

  test('is charged for invalid items too', async () => {
    const limited = await batches.harness.customer('PRO', { rate: 0.001, burst: 20 });
    const answer = await send(Array(200).fill(7), limited.headers);
    expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([400, '18']);
  });

  test('reports a batch that costs more than a full bucket', async () => {
    const limited = await batches.harness.customer('PRO', { rate: 100, burst: 5 });
    await batches.makeSandbox(limited.headers);
    expect((await send(triplets(500), limited.headers)).status).toBe(202);
    const answer = await send(triplets(601), limited.headers);
    expect([answer.status, answer.body.message]).toEqual([429, expect.stringContaining('at most 500')]);
  });
});

test('a large batch yields the event loop while it is read and sealed', async () => {
  let turns = 0;
  const at: number[] = [];
  const { admission } = batches.harness.dependencies.state;
  const { reserve } = admission;
  const { append } = batches.harness.log;
  const counting = (): void => {
    turns += 1;
    if (at.length < 3) setImmediate(counting);
  };
  Object.assign(admission, {
    reserve: async (request: Parameters<typeof reserve>[0]) => {
      at.push(turns);
      const outcome = await reserve(request);
      at.push(turns);
      return outcome;
    },
  });
  batches.harness.log.append = (batch) => {
    at.push(turns);
    return append(batch);
  };
  const large = { ...TRIPLET, response: 'x'.repeat(16_000) };
  const answer = batches.post(
    JSON.stringify(Array(1_000).fill(large)),
    'application/json',
    batches.customer.headers,
  );
  setImmediate(counting);
  expect((await answer).body.accepted).toBe(1_000);
  Object.assign(admission, { reserve });
  batches.harness.log.append = append;
  const [reserving, reserved, appending] = at as [number, number, number];
  // Without yielding, all of it would be read in one turn and sealed in another.
  expect(reserving).toBeGreaterThan(5);
  expect(appending - reserved).toBeGreaterThan(5);
});
