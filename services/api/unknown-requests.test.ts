import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { type Harness, startHarness, type TestCustomer } from './testing/harness.ts';

/** Requests refused before authentication count only against their address. */

const FLOODER = '192.0.2.1';
/** At once, from one address. */
const BURST = 200;

let harness: Harness;
let customer: TestCustomer;
let atMs: number;
beforeEach(async () => {
  atMs = 0;
  harness = await startHarness({ dependencies: { now: () => atMs } });
  customer = await harness.customer();
});
afterEach(() => harness.close());

const send = async (
  request: InjectOptions,
  count: number,
  remoteAddress = FLOODER,
): Promise<readonly { readonly status: number; readonly code: string; readonly retryAfter: unknown }[]> => {
  const sent = Array.from({ length: count }, () => harness.app.inject({ ...request, remoteAddress }));
  return (await Promise.all(sent)).map(({ statusCode, headers, payload }) => ({
    status: statusCode,
    code: (JSON.parse(payload) as { code: string }).code,
    retryAfter: headers['retry-after'],
  }));
};

const UNKNOWN: readonly (readonly [string, InjectOptions, number])[] = [
  ['unknown paths', { url: '/nowhere' }, 404],
  ['paths with an empty part', { url: '/audits/' }, 404],
  ['other methods', { method: 'DELETE', url: '/audit/ingest' }, 405],
  ['addresses that are too long', { url: `/${'a'.repeat(9_000)}` }, 414],
  ['addresses that cannot be read', { url: '/audits/%zz' }, 400],
];

describe.each(UNKNOWN)('an address that sends %s', (_name, request, status) => {
  test('is refused with Retry-After beyond its bucket, unlike other addresses and customers at the same one', async () => {
    const answers = await send(request, BURST + 50);
    const expected = answers.map(({ status: seen }) => seen);
    expect(expected.filter((seen) => seen === status)).toHaveLength(BURST);
    const refused = answers.filter((answer) => answer.status !== status);
    expect(refused).toEqual(refused.map(() => ({ status: 429, code: 'RATE_LIMITED', retryAfter: '1' })));
    expect((await send(request, 1, '192.0.2.2'))[0]!.status).toBe(status);
    const known = { url: '/sandboxes', headers: customer.headers, remoteAddress: FLOODER };
    expect((await harness.call(known)).status).toBe(200);
    expect((await harness.call({ url: '/health/live', remoteAddress: FLOODER })).status).toBe(200);
    atMs += 60_000;
    expect((await send(request, 1))[0]!.status).toBe(status);
  });
});

test('unknown requests and requests without a key share an address’s bucket', async () => {
  await send({ url: '/nowhere' }, BURST);
  expect((await harness.call({ url: '/metrics', remoteAddress: FLOODER })).status).toBe(429);
});

test('another site’s page that makes a browser send too many requests is refused like any client', async () => {
  const settings = {
    ...harness.dependencies.settings,
    isAllowedHost: (host?: string) => host !== 'evil.example',
  };
  await harness.close();
  harness = await startHarness({ dependencies: { now: () => atMs, settings } });
  const answers = await send({ url: '/metrics', headers: { host: 'evil.example' } }, BURST + 1);
  expect(answers.map(({ status }) => status)).toEqual([...Array(BURST).fill(421), 429]);
});

describe('an address beyond its bucket waits for each refusal', () => {
  beforeEach(async () => {
    const settings = { ...harness.dependencies.settings, refusalPauseMs: 200 };
    await harness.close();
    harness = await startHarness({ dependencies: { now: () => atMs, settings } });
  });

  // Refused by a hook, and by the router before any hook.
  test.each([UNKNOWN[0]!, UNKNOWN[4]!])('of %s', async (_name, request, status) => {
    const order: number[] = [];
    const ask = async (asked: InjectOptions): Promise<void> => {
      order.push((await harness.app.inject({ ...asked, remoteAddress: FLOODER })).statusCode);
    };
    const asked = Array.from({ length: BURST + 10 }, () => ask(request));
    await Promise.all([...asked, ask({ url: '/health/live' })]);
    expect(order.slice(-10)).toEqual(Array(10).fill(429));
    expect(order.slice(0, -10)).not.toContain(429);
    expect(order).toContain(status);
  });
});

describe('an address that sends input other than HTTP', () => {
  const MALFORMED = 'hello\r\n\r\n';
  const listen = async (refusalPauseMs: number): Promise<number> => {
    const settings = { ...harness.dependencies.settings, refusalPauseMs };
    await harness.close();
    harness = await startHarness({ dependencies: { now: () => atMs, settings } });
    await harness.app.listen({ host: '127.0.0.1', port: 0 });
    return (harness.app.server.address() as AddressInfo).port;
  };
  const exchange = async (port: number, text = MALFORMED): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.write(text);
    await once(socket, 'close');
    return Buffer.concat(chunks).toString('utf8');
  };

  test('is answered 429 beyond its bucket', async () => {
    const port = await listen(0);
    const answers: string[] = [];
    for (let sent = 0; sent < BURST; sent += 1) answers.push(await exchange(port));
    expect(new Set(answers.map((answer) => answer.split('\r\n', 1)[0]))).toEqual(
      new Set(['HTTP/1.1 400 Bad Request']),
    );
    const refused = await exchange(port);
    expect(refused).toContain('HTTP/1.1 429 Too Many Requests\r\n');
    expect(refused).toContain('retry-after: 1\r\n');
    expect(refused).toContain('"code":"RATE_LIMITED"');
  });

  test('waits for that refusal, and its further input is not read', async () => {
    const port = await listen(1_000);
    await send({ url: '/nowhere' }, BURST, '127.0.0.1');
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    const failed = once(harness.app.server, 'clientError');
    socket.write(MALFORMED);
    await failed;
    for (let more = 0; more < 5; more += 1) {
      socket.write(MALFORMED);
      await turn();
    }
    // Others are served while it waits.
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
    expect(chunks).toHaveLength(0);
    await once(socket, 'close');
    expect(
      Buffer.concat(chunks)
        .toString('utf8')
        .match(/HTTP\/1\.1 429/g),
    ).toHaveLength(1);
  });
});
