import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { createBodyBudget } from './http/bodies/body-budget.ts';
import { type Batches, codesOf, startBatches, TRIPLET, triplets } from './testing/batches.ts';
import type { Answered } from './testing/harness.ts';

/** Bodies with a Content-Encoding, a byte-order mark, or in another encoding of Unicode. */

let world: Batches;
beforeAll(async () => {
  world = await startBatches();
});
afterAll(() => world.harness.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (
  payload: string | Buffer,
  more: Record<string, string> = {},
  url = '/audit/ingest',
): Promise<Answered> =>
  world.harness.call({
    method: 'POST',
    url,
    headers: { ...world.customer.headers, ...JSON_TYPE, ...more },
    payload,
  });
const GZIP = { 'content-encoding': 'gzip' };
const TEXT = JSON.stringify(TRIPLET);

describe('a body compressed with gzip', () => {
  test('is accepted by single and batch ingest, in any spelling of the header', async () => {
    for (const coding of ['gzip', 'GZIP', 'x-gzip', 'gzip, identity'])
      expect((await post(gzipSync(TEXT), { 'content-encoding': coding })).status).toBe(202);
    const lines = triplets(3).map((one) => JSON.stringify(one));
    const headers = { ...world.customer.headers, ...GZIP };
    const batches = [
      await world.post(gzipSync(lines.join('\n')), 'application/x-ndjson', headers),
      await world.post(gzipSync(`[${lines.join(',')}]`), 'application/json', headers),
    ];
    for (const answer of batches) expect(codesOf(answer)).toEqual(['QUEUED', 'QUEUED', 'QUEUED']);
  });

  test('is the same body as without compression', async () => {
    for (const url of ['/audit/ingest', '/audit/ingest/batch']) {
      const key = { 'idempotency-key': `same-${url}` };
      const text = url.endsWith('batch') ? `[${TEXT}]` : TEXT;
      const first = await post(text, key, url);
      const second = await post(gzipSync(text), { ...key, ...GZIP }, url);
      expect(second.headers['idempotent-replayed']).toBe('true');
      expect(second.body).toEqual(first.body);
    }
  });

  test.each([
    ['cut off', gzipSync(TEXT).subarray(0, -9)],
    ['invalid gzip', Buffer.from(TEXT)],
    ['damaged', Buffer.concat([gzipSync(TEXT).subarray(0, 20), Buffer.alloc(40, 0x55)])],
  ])('with %s is refused with what to do', async (_, payload) => {
    expect(await post(payload, GZIP)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: expect.stringContaining('not a complete gzip stream') },
    });
  });

  test('is refused before inflating if it is a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(15 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(16 * 1024);
    const before = world.records().length;
    for (const url of ['/audit/ingest', '/audit/ingest/batch']) {
      const answer = await post(bomb, GZIP, url);
      expect(answer).toMatchObject({
        status: 413,
        body: { code: 'BODY_TOO_LARGE', message: expect.stringContaining('600 times its size') },
      });
    }
    const large = gzipSync(Buffer.alloc(17 * 1024 * 1024, Buffer.from('abcdefghijklmnop 0123456789')), {
      level: 0,
    });
    expect(await post(large.subarray(0, 1024), GZIP)).toMatchObject({ status: 400 });
    expect(world.records()).toHaveLength(before);
  });

  test('with a batch of equal triplets is not taken for a bomb', async () => {
    const line = JSON.stringify({ ...TRIPLET, prompt: 'Where is my order? '.repeat(400) });
    const text = Array.from({ length: 800 }, () => line).join('\n');
    const payload = gzipSync(text);
    expect(text.length / payload.length).toBeGreaterThan(100);
    const answer = await world.post(payload, 'application/x-ndjson', { ...world.customer.headers, ...GZIP });
    expect(answer).toMatchObject({ status: 202, body: { accepted: 800 } });
  });

  test('costs the tokens of its inflated size', async () => {
    const customer = await world.harness.customer('PRO', { rate: 0.001, burst: 100 });
    await world.makeSandbox(customer.headers);
    const left = async (): Promise<number> =>
      Number(
        (await world.harness.call({ method: 'GET', url: '/audits', headers: customer.headers })).headers[
          'x-ratelimit-remaining'
        ],
      );
    const noise = Array.from({ length: 40_000 }, (_, n) => `order ${n * 7_919} `).join('');
    const body = JSON.stringify({ ...TRIPLET, prompt: noise.repeat(2) });
    const before = await left();
    expect((await post(gzipSync(body), { ...customer.headers, ...GZIP })).status).toBe(202);
    expect(before - (await left()) - 1).toBe(Math.ceil(body.length / (512 * 1024)));
  });

  test('is refused beyond its customer’s share of memory, and releases all of it', async () => {
    const { settings } = world.harness.dependencies;
    const small = await startSmall(settings);
    const text = JSON.stringify({ ...TRIPLET, prompt: 'Where is my order? '.repeat(40_000) });
    const headers = { ...small.customer.headers, ...JSON_TYPE, ...GZIP };
    const answer = await small.harness.call({
      method: 'POST',
      url: '/audit/ingest',
      headers,
      payload: gzipSync(text),
    });
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'BODIES_BUSY' },
      headers: { 'retry-after': '1' },
    });
    await small.harness.settled();
    expect(small.harness.dependencies.bodyBudget.heldBytes()).toBe(0);
    await small.harness.close();
  });
});

/** The API with half a megabyte for a customer's bodies. */
async function startSmall(settings: Batches['harness']['dependencies']['settings']) {
  const { startHarness } = await import('./testing/harness.ts');
  const harness = await startHarness({
    dependencies: { settings, bodyBudget: createBodyBudget(1024 * 1024) },
  });
  return { harness, customer: await harness.customer() };
}

describe('Content-Encoding', () => {
  test('identity is accepted everywhere', async () => {
    const identity = { 'content-encoding': 'identity' };
    expect((await post(TEXT, identity)).status).toBe(202);
    const scan = JSON.stringify({ sandbox: 'support', userInput: 'Hello' });
    expect((await post(scan, identity, '/guardian/scan')).status).toBe(200);
  });

  test.each([
    ['/audit/ingest', 'br', 'gzip, identity'],
    ['/audit/ingest', 'gzip, gzip', 'gzip, identity'],
    ['/audit/ingest/batch', 'deflate', 'gzip, identity'],
    ['/guardian/scan', 'gzip', 'identity'],
  ])('%s with %s answers 415 with the accepted encodings', async (url, coding, accepted) => {
    expect(await post(gzipSync(TEXT), { 'content-encoding': coding }, url)).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE', message: expect.stringContaining('identity') },
      headers: { 'accept-encoding': accepted },
    });
  });
});

describe('a body with a byte-order mark', () => {
  test('in UTF-8 is accepted, also compressed', async () => {
    expect((await post(`\ufeff${TEXT}`)).status).toBe(202);
    expect((await post(gzipSync(`\ufeff${TEXT}`), GZIP)).status).toBe(202);
    expect(codesOf(await world.sendLines([`\ufeff${TEXT}`, TEXT]))).toEqual(['QUEUED', 'QUEUED']);
    const scan = JSON.stringify({ sandbox: 'support', userInput: 'Hello' });
    expect((await post(`\ufeff${scan}`, {}, '/guardian/scan')).status).toBe(200);
  });

  test.each([
    ['UTF-16 with a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16 in the other order', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
  ])('in %s is refused, and the message names it', async (_, payload) => {
    for (const url of ['/audit/ingest', '/audit/ingest/batch', '/guardian/scan'])
      expect(await post(payload, {}, url)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_JSON', message: 'The body is UTF-16 or UTF-32. Send UTF-8.' },
      });
  });
});
