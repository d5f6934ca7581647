import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { type Harness, internalHeaders, startHarness, type TestCustomer } from '../testing/harness.ts';
import { openTestSession } from '../testing/sessions.ts';

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer();
  for (let n = 0; n < 8; n += 1)
    await harness.call({
      method: 'POST',
      url: '/sandboxes',
      headers: customer.headers,
      payload: { name: `One ${n}`, slug: `one-${n}`, sandboxType: 'FULL_SPECTRUM' },
    });
});
afterAll(() => harness.close());

const get = (
  url: string,
  acceptEncoding: string,
  headers: Readonly<Record<string, string>> = customer.headers,
) => harness.app.inject({ url, headers: { ...headers, 'accept-encoding': acceptEncoding } });

describe('an answer of 1 kB or more', () => {
  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const)('to a client that accepts %s is in %s', async (accepted, encoding, decode) => {
    const [plain, encoded] = [await get('/sandboxes', 'identity'), await get('/sandboxes', accepted)];
    expect(encoded.headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'Accept-Encoding',
      'content-type': plain.headers['content-type'],
      'content-length': String(encoded.rawPayload.length),
    });
    expect(decode(encoded.rawPayload).toString()).toBe(plain.payload);
    expect(encoded.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
  });

  test('is uncompressed for others, with Vary', async () => {
    for (const accepted of ['', 'identity', 'gzip;q=0', 'zstd']) {
      const { headers } = await get('/sandboxes', accepted);
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    }
  });

  test('is compressed once if it never changes, and correct each time', async () => {
    const [first, second] = [await get('/openapi.json', 'br', {}), await get('/openapi.json', 'br', {})];
    expect(first.rawPayload.equals(second.rawPayload)).toBe(true);
    expect(JSON.parse(brotliDecompressSync(second.rawPayload).toString()).openapi).toBe('3.1.0');
  });
});

describe('is never compressed', () => {
  test('a short answer', async () => {
    const { headers } = await get('/usage', 'gzip, br');
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  });

  test('an answer with a secret or a list of keys, however long', async () => {
    for (let n = 0; n < 6; n += 1)
      await harness.call({
        method: 'POST',
        url: `/internal/customers/${customer.id}/api-keys`,
        headers: internalHeaders,
        payload: { name: `key ${n} ${'x'.repeat(100)}` },
      });
    const keys = await get(`/internal/customers/${customer.id}/api-keys`, 'gzip, br', internalHeaders);
    const { headers: ofSession } = await openTestSession(harness, customer.id);
    const session = await get('/sessions/current', 'gzip, br', ofSession);
    expect(keys.rawPayload.length).toBeGreaterThan(1024);
    for (const { statusCode, headers } of [keys, session])
      expect([statusCode, headers['content-encoding']]).toEqual([200, undefined]);
  });

  test('a stream, and an export', async () => {
    const { headers } = await get('/dashboard/signals/export?format=json', 'gzip, br');
    expect(headers['content-encoding']).toBeUndefined();
    const stream = await harness.app.inject({
      url: '/dashboard/stream',
      headers: { ...customer.headers, 'accept-encoding': 'gzip, br' },
      payloadAsStream: true,
    });
    expect([stream.statusCode, stream.headers['content-encoding']]).toEqual([200, undefined]);
    stream.stream().destroy();
  });
});
