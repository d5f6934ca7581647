import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { errorBody } from '#schemas/api/errors.ts';
import { type Harness, startHarness, type TestCustomer } from './testing/harness.ts';

/** What only a real connection shows: slow, oversized and broken requests. */

let harness: Harness;
let customer: TestCustomer;
let port: number;
beforeAll(async () => {
  const first = await startHarness();
  const settings = { ...first.dependencies.settings, requestTimeoutMs: 1_000, maxConnections: 40 };
  await first.close();
  harness = await startHarness({ dependencies: { settings } });
  customer = await harness.customer();
  await harness.app.listen({ host: '127.0.0.1', port: 0 });
  port = (harness.app.server.address() as AddressInfo).port;
});
afterAll(() => harness.close());

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('utf8');
}

/** Sends raw text and returns status and error of the one answer; the server has to close the connection. */
async function exchange(text: string): Promise<{ status: number; code: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const all = readAll(socket);
  socket.write(text);
  const [head, body = ''] = (await all).split('\r\n\r\n');
  const parsed = errorBody.parse(JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)));
  const status = Number(head!.split(' ')[1]);
  expect(parsed.statusCode).toBe(status);
  return { status, code: parsed.code };
}

describe('over a real connection', () => {
  test('lets an address with idle connections hold half of them, and reports how many it closed', async () => {
    const silent = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'));
    const ends = silent.map(async (socket) => {
      socket.on('error', () => undefined);
      await once(socket, 'close');
    });
    let open = silent.length;
    for (const end of ends) void end.then(() => open--);
    await Promise.race([Promise.all(ends.slice(20)), once(silent[99]!, 'close')]);
    while (open > 20)
      await Promise.race(silent.filter(({ closed }) => !closed).map((one) => once(one, 'close')));
    expect(open).toBe(20);
    const { text } = await harness.call({ url: '/metrics' });
    expect(text).toContain('cas_http_connections_refused_total 80');
    for (const socket of silent) socket.destroy();
    await Promise.all(ends);
  });

  test('answers headers that are too large with 431', async () => {
    const sent = `GET /health/live HTTP/1.1\r\nhost: x\r\nx-big: ${'a'.repeat(20_000)}\r\n\r\n`;
    expect(await exchange(sent)).toEqual({ status: 431, code: 'HEADERS_TOO_LARGE' });
  });

  test('answers input that is not HTTP with 400', async () => {
    expect(await exchange('hello\r\n\r\n')).toEqual({ status: 400, code: 'INVALID_REQUEST' });
  });

  test('answers an address that is too long with 414', async () => {
    const sent = `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
    expect(await exchange(sent)).toEqual({ status: 414, code: 'URI_TOO_LONG' });
  });

  test('answers a body that does not arrive in time with 408', async () => {
    const head = `POST /audit/ingest HTTP/1.1\r\nhost: x\r\nx-service-key: ${customer.key}\r\n`;
    const sent = `${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"prompt":`;
    expect(await exchange(sent)).toEqual({ status: 408, code: 'REQUEST_TIMEOUT' });
  });

  test('answers a body without a length that grows too large with 413', async () => {
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const head = `POST /guardian/scan HTTP/1.1\r\nhost: x\r\nx-service-key: ${customer.key}\r\n`;
    const sent = `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(40)}0\r\n\r\n`;
    expect(await exchange(sent)).toEqual({ status: 413, code: 'BODY_TOO_LARGE' });
  });

  test('answers a body with too large a length with 413 while it is still being sent, and keeps the connection', async () => {
    const body = Buffer.alloc(3 * 1024 * 1024, 'x');
    const head = `POST /guardian/scan HTTP/1.1\r\nhost: x\r\nx-service-key: ${customer.key}\r\n`;
    const socket = connect(port, '127.0.0.1');
    socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('HTTP/1.1 413');
    socket.write(body);
    socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(await readAll(socket)).toContain('HTTP/1.1 200');
  });

  test('reports a missing key before the body has arrived', async () => {
    const head = 'POST /audit/ingest HTTP/1.1\r\nhost: x\r\nconnection: close\r\n';
    const sent = `${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n`;
    expect(await exchange(sent)).toEqual({ status: 401, code: 'MISSING_KEY' });
  });

  test('ends a waiting answer when its client disconnects', async () => {
    const made = await fetch(`http://127.0.0.1:${port}/sandboxes`, {
      method: 'POST',
      headers: { ...customer.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'n', slug: 'held', sandboxType: 'CUSTOM' }),
    });
    expect(made.status).toBe(201);
    const accepted = await harness.call({
      method: 'POST',
      url: '/audit/ingest',
      headers: customer.headers,
      payload: { sandboxSlug: 'held', provider: 'o', model: 'm', prompt: 'p', response: '' },
    });
    let reads = 0;
    const { warehouse } = harness.dependencies;
    const readTwice = new Promise<void>((resolve) => {
      warehouse.query = async () => {
        reads += 1;
        if (reads === 2) resolve();
        return [];
      };
    });
    const controller = new AbortController();
    const held = fetch(`http://127.0.0.1:${port}/audits/${accepted.body.auditId}?wait=30`, {
      headers: customer.headers,
      signal: controller.signal,
    });
    await readTwice;
    controller.abort();
    await expect(held).rejects.toThrow();
    // Closing waits for running requests: it would take the full 30 s if the answer were still waiting.
    const before = Date.now();
    await harness.app.close();
    expect(Date.now() - before).toBeLessThan(10_000);
  });
});
