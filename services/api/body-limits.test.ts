import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { MIB } from '#schemas/api/contract.ts';
import { type Batches, codesOf, resultsOf, startBatches, TRIPLET } from './testing/batches.ts';
import type { Answered, TestCustomer } from './testing/harness.ts';

/** What a body may contain, and what it costs. */

let world: Batches;
beforeAll(async () => {
  world = await startBatches();
});
afterAll(() => world.harness.close());

const post = (payload: string, url = '/audit/ingest', { headers } = world.customer): Promise<Answered> =>
  world.harness.call({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/json' },
    payload,
  });
const TEXT = JSON.stringify(TRIPLET);
const ingest = (more: string): Promise<Answered> => post(TEXT.replace('{', `{"more":${more},`));

/** Values besides `more`: the body itself and its five fields. */
const OTHER_VALUES = 6;
const list = (values: number): string => `[${Array.from({ length: values }, () => '1').join(',')}]`;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('JSON is bounded before it is parsed', () => {
  test('64 levels are accepted, one more is answered with 400', async () => {
    expect((await ingest(nested(63))).status).toBe(202);
    expect(await ingest(nested(64))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: expect.stringContaining('deeper than 64 levels') },
    });
  });

  test('20,000 values are accepted, one more is answered with 400', async () => {
    const most = 20_000 - OTHER_VALUES - 1;
    expect((await ingest(list(most))).status).toBe(202);
    expect(await ingest(list(most + 1))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: expect.stringContaining('more than 20000 values') },
    });
  });

  test.each([
    ['levels', '['.repeat(100_000)],
    ['names', `{${Array.from({ length: 120_000 }, (_, n) => `"k${n}":1`).join(',')}`],
  ])('a broken body with too many %s is refused for these, before it is parsed', async (_, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
  });

  test('the bounds apply to every operation, including scans', async () => {
    const body = `{"sandbox":"support","userInput":"hi","more":${nested(64)}}`;
    expect(await post(body, '/guardian/scan')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('64 levels') },
    });
  });

  test('the bounds apply per item of a batch, and do not affect other items', async () => {
    const much = TEXT.replace('{', `{"more":${list(20_001)},`);
    const deep = TEXT.replace('{', `{"more":${nested(64)},`);
    const most = TEXT.replace('{', `{"more":${list(20_000 - OTHER_VALUES - 1)},`);
    const items = [TEXT, much, most, deep, most];
    for (const answer of [
      await world.sendLines(items),
      await world.post(`[${items.join(',')}]`, 'application/json'),
    ]) {
      expect(answer.status).toBe(202);
      expect(codesOf(answer)).toEqual(['QUEUED', 'INVALID_REQUEST', 'QUEUED', 'INVALID_REQUEST', 'QUEUED']);
      expect(resultsOf(answer)[1]!.error!.message).toContain('more than 20000 values');
    }
  });
});

describe('a batch with more values than a customer’s share of the memory holds', () => {
  test('is answered with 503 and what to do, and nothing is accepted', async () => {
    const before = world.records().length;
    const item = `[${'{},'.repeat(19_000)}{}]`;
    const answer = await world.sendLines(Array.from({ length: 200 }, () => item));
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'BODIES_BUSY', message: expect.stringContaining('smaller') },
      headers: { 'retry-after': '1' },
    });
    expect(world.records()).toHaveLength(before);
  });
});

describe('the cost of a body in tokens', () => {
  const left = async (customer: TestCustomer): Promise<number> =>
    Number(
      (await world.harness.call({ method: 'GET', url: '/audits', headers: customer.headers })).headers[
        'x-ratelimit-remaining'
      ],
    );
  /** Tokens that a request costs; nothing refills meanwhile. */
  async function costOf(
    send: (customer: TestCustomer) => Promise<Answered>,
    burst = 100,
  ): Promise<[number, number]> {
    const customer = await world.harness.customer('PRO', { rate: 0.001, burst });
    await world.makeSandbox(customer.headers);
    const before = await left(customer);
    const { status } = await send(customer);
    // Reading the balance costs one token itself.
    return [status, before - (await left(customer)) - 1];
  }
  const ofBytes = (bytes: number): string =>
    JSON.stringify({
      ...TRIPLET,
      prompt: 'x'.repeat(bytes - JSON.stringify({ ...TRIPLET, prompt: '' }).length),
    });

  test.each([
    [1_200, 1],
    [MIB / 2, 1],
    [MIB / 2 + 1, 2],
    [2 * MIB, 4],
  ])('for an ingest of %d bytes is %d', async (bytes, cost) => {
    expect(await costOf((customer) => post(ofBytes(bytes), undefined, customer))).toEqual([202, cost]);
  });

  test.each([
    ['1,000 ordinary triplets: one for 100, as usual', 1_000, 2_000, 10],
    ['few large ones: by their bytes', 4, MIB, 9],
    ['many large ones: by the larger cost', 150, 16_000, 5],
  ])('for a batch of %s', async (_, count, bytes, cost) => {
    const lines = Array.from({ length: count }, () => ofBytes(bytes));
    expect(await costOf((customer) => world.sendLines(lines, customer.headers))).toEqual([202, cost]);
  });

  test('never exceeds a full bucket, so that every caller can send it', async () => {
    const lines = Array.from({ length: 15 }, () => ofBytes(MIB));
    const customer = await world.harness.customer('PRO', { rate: 1_000, burst: 5 });
    await world.makeSandbox(customer.headers);
    world.harness.skew += 60_000;
    expect((await world.sendLines(lines, customer.headers)).status).toBe(202);
  });

  test('applies to a body without a length', async () => {
    const chunked = (customer: TestCustomer): Promise<Answered> =>
      world.harness.call({
        method: 'POST',
        url: '/audit/ingest',
        headers: { ...customer.headers, 'content-type': 'application/json' },
        payload: Readable.from([Buffer.from(ofBytes(2 * MIB))]),
      });
    expect(await costOf(chunked)).toEqual([202, 4]);
  });

  test('is checked before the body is read, and answers 429 without enough tokens', async () => {
    const [status, cost] = await costOf((customer) => post(ofBytes(2 * MIB), undefined, customer), 5);
    expect([status, cost]).toEqual([429, 1]);
  });
});
