import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '#jest';
import { outgoingFetch, reasonOf } from './outgoing-fetch.ts';
import { outgoingRequest } from './outgoing-request.ts';
import { NO_PROXIES } from './proxies.ts';
import { type ConnectProxy, startConnectProxy } from './testing/connect-proxy.ts';

/** For requests over TLS see test/e2e/proxies.test.ts, where a process trusts the certificate. */

let target: Server;
let port: number;
let proxy: ConnectProxy;
beforeEach(async () => {
  target = createServer((request, response) => {
    response.writeHead(200, { trailer: 'x-rows' });
    response.write(
      `${request.method} ${request.headers.host} ${request.headers['proxy-authorization'] ?? ''}`,
    );
    response.addTrailers({ 'x-rows': '1' });
    response.end();
  });
  await new Promise<void>((listening) => target.listen(0, '127.0.0.1', listening));
  ({ port } = target.address() as AddressInfo);
  proxy = await startConnectProxy({ password: 's3cret' });
});
afterEach(async () => {
  await proxy.close();
  target.closeAllConnections();
  target.close();
});

const at = (user = 'ann:s3cret@', of = proxy.port) => ({
  ...NO_PROXIES,
  http: `http://${user}127.0.0.1:${of}`,
  https: `http://${user}127.0.0.1:${of}`,
});
const failure = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no failure',
    (error: unknown) => reasonOf(error),
  );

test('an http request goes to the proxy, and the proxy’s password does not go further', async () => {
  const response = await outgoingFetch(at())(`http://audit.example:${port}/a?b=1`, {
    method: 'POST',
    body: 'x',
  });
  expect(await response.text()).toBe(`POST audit.example:${port} `);
  expect(proxy.asked).toEqual([`POST http://audit.example:${port}/a?b=1`]);
});

test('an excepted host and this machine are called directly', async () => {
  const direct = await outgoingFetch(at())(`http://127.0.0.1:${port}/`);
  expect(await direct.text()).toBe(`GET 127.0.0.1:${port} `);
  const excepted = outgoingFetch({ ...at(), except: ['.invalid'] })(`http://audit.invalid:${port}/`);
  expect(await failure(excepted)).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  expect(proxy.asked).toEqual([]);
});

test('a streamed answer has its trailers when called directly, and none through a proxy that drops them', async () => {
  const direct = await outgoingRequest(at(), `http://127.0.0.1:${port}/`, { 'x-a': 'b' });
  await direct.body.text();
  expect(direct.trailers).toEqual({ 'x-rows': '1' });
  const forwarded = await outgoingRequest(at(), `http://audit.example:${port}/`, {});
  expect([forwarded.statusCode, await forwarded.body.text(), forwarded.trailers]).toEqual([
    200,
    `GET audit.example:${port} `,
    {},
  ]);
});

test('a proxy that is down or refuses is named without its password', async () => {
  const { port: closed, close } = await startConnectProxy();
  await close();
  for (const [name, target] of [
    ['HTTP_PROXY', 'http://audit.example'],
    ['HTTPS_PROXY', 'https://audit.example'],
  ] as const) {
    const down = `the proxy http://127.0.0.1:${closed} (${name}) is unreachable: ECONNREFUSED; correct ${name}, or add the host to NO_PROXY`;
    expect(await failure(outgoingFetch(at('ann:s3cret@', closed))(target))).toBe(down);
    expect(await failure(outgoingRequest(at('ann:s3cret@', closed), target, {}))).toBe(down);
  }
  const refused = `the proxy http://127.0.0.1:${proxy.port} (HTTPS_PROXY) rejected the connection to audit.example with status 407; set its user and password in HTTPS_PROXY`;
  expect(await failure(outgoingFetch(at('ann:wr0ng@'))('https://audit.example'))).toBe(refused);
  expect(await failure(outgoingRequest(at('ann:wr0ng@'), 'https://audit.example', {}))).toBe(refused);
});
