import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '#jest';
import { NO_PROXIES } from '#platform/outgoing/proxies.ts';
import { CallFailure, chatClient } from './client.ts';
import { type Behaviour, type StubEndpoint, silent, startStub, status } from './testing/stub-endpoint.ts';

const KEY = ['not', 'a', 'key', '7731'].join('-');
const MESSAGES = [{ role: 'user', content: 'a text of an audit' }] as const;
const LONG_MS = 20_000;

const stubs: StubEndpoint[] = [];
afterEach(async () => {
  await Promise.all(stubs.splice(0).map((stub) => stub.close()));
});

async function stubbed(how: Behaviour, path = '') {
  const stub = await startStub(how);
  stubs.push(stub);
  const client = chatClient({
    url: `${stub.url}${path}`,
    model: 'm',
    apiKey: KEY,
    parameters: { seed: 7 },
    proxies: NO_PROXIES,
  });
  return { stub, client };
}

const failure = async (call: Promise<string>): Promise<CallFailure> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CallFailure)) throw new Error(`no CallFailure: ${String(error)}`);
  return error;
};

describe('a call', () => {
  test('goes to chat/completions, with the key in its header and nowhere else', async () => {
    const { stub, client } = await stubbed((_, response) => void response.end('the body'), '/?version=1');
    expect(await client.complete(MESSAGES, LONG_MS)).toBe('the body');
    const [request] = stub.received;
    expect(request!.path).toBe('/v1/chat/completions?version=1');
    expect(request!.headers.authorization).toBe(`Bearer ${KEY}`);
    const { authorization, ...others } = request!.headers;
    expect(JSON.stringify([others, request!.path, request!.body])).not.toContain(KEY);
    expect(JSON.parse(request!.body)).toEqual({ model: 'm', messages: MESSAGES, stream: false, seed: 7 });
  });

  test.each([
    [429, 'RATE_LIMITED'],
    [500, 'SERVER_ERROR'],
    [503, 'SERVER_ERROR'],
    [401, 'UNAUTHORIZED'],
    [403, 'UNAUTHORIZED'],
    [404, 'NOT_FOUND'],
    [400, 'REJECTED'],
    [413, 'REJECTED'],
    [204, 'SERVER_ERROR'],
  ])('status %d is %s', async (code, fault) => {
    const { client } = await stubbed(status(code, { 'retry-after': '3' }));
    const error = await failure(client.complete(MESSAGES, LONG_MS));
    expect(error).toMatchObject({ fault, retryAfterMs: 3_000 });
    expect(`${error.message} ${error.stack}`).not.toMatch(/an error text|7731|a text of/);
  });

  test('does not follow a redirect', async () => {
    const elsewhere = await stubbed((_, response) => void response.end('x'));
    const { client, stub } = await stubbed(
      status(307, { location: `${elsewhere.stub.url}/chat/completions` }),
    );
    expect((await failure(client.complete(MESSAGES, LONG_MS))).fault).toBe('REDIRECTED');
    expect([stub.received.length, elsewhere.stub.received.length]).toEqual([1, 0]);
  });

  test('aborts a response of more than 64 KiB', async () => {
    const { client } = await stubbed((_, response) => {
      // Endless, if it is read.
      const more = (): void => void (response.destroyed || response.write('x'.repeat(30_000), more));
      more();
    });
    expect((await failure(client.complete(MESSAGES, LONG_MS))).fault).toBe('TOO_LARGE');
  });

  test('aborts a response that never starts or never ends', async () => {
    const { client, stub } = await stubbed(silent);
    expect((await failure(client.complete(MESSAGES, 50))).fault).toBe('TIMEOUT');
    stub.behave((_, response) => void response.write('{'));
    expect((await failure(client.complete(MESSAGES, 50))).fault).toBe('TIMEOUT');
  });

  test('fails on a refused connection', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const client = chatClient({
      url: `http://127.0.0.1:${port}`,
      model: 'm',
      apiKey: null,
      parameters: {},
      proxies: NO_PROXIES,
    });
    expect((await failure(client.complete(MESSAGES, LONG_MS))).fault).toBe('UNREACHABLE');
  });

  test('retries once after a broken connection', async () => {
    let breaks = 1;
    const { client, stub } = await stubbed((_, response) => {
      if (breaks-- > 0) response.socket?.resetAndDestroy();
      else response.end('the body');
    });
    expect(await client.complete(MESSAGES, LONG_MS)).toBe('the body');
    expect(stub.received).toHaveLength(2);
    breaks = 9;
    expect((await failure(client.complete(MESSAGES, LONG_MS))).fault).toBe('UNREACHABLE');
    expect(stub.received).toHaveLength(4);
  });

  test('ends when no one waits for it any more', async () => {
    const lost = new AbortController();
    const { client } = await stubbed(() => lost.abort(new Error('the partition is lost')));
    await expect(client.complete(MESSAGES, LONG_MS, lost.signal)).rejects.toThrow('the partition is lost');
    await expect(client.complete(MESSAGES, LONG_MS, lost.signal)).rejects.toThrow('the partition is lost');
  });
});
