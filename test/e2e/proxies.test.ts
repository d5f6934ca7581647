import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '#jest';
import { type ConnectProxy, startConnectProxy } from '#platform/outgoing/testing/connect-proxy.ts';
import { reports, type StubEndpoint, startStub } from '#services/analyzer/judge/testing/stub-endpoint.ts';
import { runCas } from '../helpers/cas-process.ts';
import { makeCustomer, makeSandbox, type TestCustomer, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { type SelfSigned, selfSignedCertificate } from '../helpers/self-signed-certificate.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** The command line and the judge in a network whose only way out is a proxy: names resolve nowhere else. */

const PASSWORD = ['pr0xy', 'secret', '4471'].join('-');
const dataDir = temporaryDataDir();
const authority = path.join(dataDir, '..', `${path.basename(dataDir)}-authority.pem`);
let made: SelfSigned;
let proxy: ConnectProxy;
let stub: StubEndpoint;
let service: TestService;
let customer: TestCustomer;
const fronts: Server[] = [];

/** TLS in front of a server; drops trailers. */
async function front(target: () => string): Promise<number> {
  const server = createServer({ cert: made.certificate, key: made.key }, (incoming, outgoing) => {
    const { method, headers } = incoming;
    const passed = request(new URL(incoming.url ?? '/', target()), { method, headers });
    passed.once('response', (answer) => {
      const { trailer: _dropped, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode!, kept);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  fronts.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

let url: string;
let judgePort: number;
beforeAll(async () => {
  made = selfSignedCertificate(['audit.example', 'judge.example']);
  writeFileSync(authority, made.certificate);
  proxy = await startConnectProxy({ password: PASSWORD });
  stub = await startStub(reports({ rule: 'refunds', source: 'response', confidence: 0.8 }));
  judgePort = await front(() => stub.url);
  service = await startService(dataDir, {
    ...throughProxy(),
    JUDGE_URL: `https://judge.example:${judgePort}/v1`,
    JUDGE_MODEL: 'auditor',
    LOG_LEVEL: 'debug',
    ALLOWED_HOSTS: 'audit.example',
  });
  url = `https://audit.example:${await front(() => service.url)}`;
  customer = await makeCustomer(service, 'Proxied');
  await makeSandbox(customer.client, 'proxied');
}, 120_000);
afterAll(async () => {
  await service?.killTree();
  await stub?.close();
  await proxy?.close();
  for (const server of fronts) {
    server.closeAllConnections();
    server.close();
  }
  removeDataDir(dataDir);
  removeDataDir(authority);
}, 60_000);
beforeEach(() => {
  proxy.asked.length = 0;
});

const throughProxy = (password = PASSWORD, port = proxy.port): Record<string, string> => ({
  HTTPS_PROXY: `http://ann:${password}@127.0.0.1:${port}`,
  NODE_EXTRA_CA_CERTS: authority,
});
const cas = (args: readonly string[], environment = throughProxy()) =>
  runCas(args, { CAS_API_KEY: customer.key, DATA_DIR: dataDir, ...environment });
const hostOf = (address: string): string => new URL(address).host;

test('cas ingest and cas export use the tunnel; a download without trailers is checked by its manifest', async () => {
  const file = path.join(dataDir, 'items.ndjson');
  writeFileSync(file, [1, 2, 3].map((n) => JSON.stringify(triplet('proxied', n))).join('\n'));
  const sent = await cas(['ingest', file, '--url', url]);
  expect([sent.code, sent.output]).toEqual([0, expect.stringContaining('3 accepted, 0 accepted before')]);
  await eventually('the signals are stored', 60_000, async () => {
    const { body } = await customer.client.request('GET', '/dashboard/signals?limit=1');
    return Number((body.pagination as unknown as { total: number }).total) === 3 ? true : undefined;
  });
  const exported = path.join(dataDir, 'signals.csv');
  const fetched = await cas(['export', '--url', url, '--bom', '-o', exported]);
  expect([fetched.code, fetched.output]).toEqual([0, expect.stringContaining(`${exported}: 3 signals, `)]);
  expect(readFileSync(exported).subarray(0, 4).toString('hex')).toBe('efbbbf61');
  const options = /cas export --check \S+ (.*)/.exec(fetched.output)![1]!.split(' ');
  const checked = await cas(['export', '--url', url, '--check', exported, ...options]);
  expect([checked.code, checked.output]).toEqual([0, expect.stringContaining('matches the export')]);
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${hostOf(url)}`]));
}, 120_000);

test('NO_PROXY bypasses the proxy, lower case works, and loopback is never proxied', async () => {
  const direct = await cas(['export', '--url', url], {
    ...throughProxy(),
    NO_PROXY: 'other.example,.example',
  });
  expect([direct.code, direct.output]).toEqual([
    1,
    expect.stringMatching(/No service answers at https:\/\/audit\.example:\d+ \((ENOTFOUND|EAI_AGAIN)\)/),
  ]);
  const own = await cas(['dead-letters', 'list'], { ...throughProxy(), PORT: new URL(service.url).port });
  expect([own.code, proxy.asked]).toEqual([0, []]);
  const lower = { https_proxy: throughProxy().HTTPS_PROXY!, NODE_EXTRA_CA_CERTS: authority };
  const { code } = await cas(['correlate', '--url', url, '--from', '2026-01-01'], lower);
  expect([code === null, proxy.asked[0]]).toEqual([false, `CONNECT ${hostOf(url)}`]);
}, 60_000);

test('a proxy that is down or rejects its user is named without its password', async () => {
  const other = await startConnectProxy();
  await other.close();
  for (const command of [
    ['export', '--url', url],
    ['ingest', '/proc/version', '--url', url],
  ]) {
    const down = await cas(command, throughProxy(PASSWORD, other.port));
    expect([down.code, down.output]).toEqual([
      1,
      expect.stringContaining(
        `the proxy http://127.0.0.1:${other.port} (HTTPS_PROXY) is unreachable: ECONNREFUSED`,
      ),
    ]);
    const refused = await cas(command, throughProxy('wr0ng-password'));
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('with status 407; set its user'),
    ]);
    expect(down.output + refused.output).not.toMatch(/wr0ng|pr0xy/);
  }
  const socks = await cas(['export', '--url', url], { HTTPS_PROXY: `socks5://ann:${PASSWORD}@127.0.0.1:1` });
  expect([socks.code, socks.output]).toEqual([
    1,
    expect.stringContaining('HTTPS_PROXY must be an HTTP proxy'),
  ]);
  expect(socks.output).not.toContain(PASSWORD);
}, 60_000);

test('the judge is called through the tunnel, and no log contains the password', async () => {
  await makeSandbox(customer.client, 'judged', { customRules: ['Do not promise refunds.'] });
  const body = { ...triplet('judged', 1), response: 'You will have it tomorrow, all of it.' };
  const { auditId } = (await customer.client.request('POST', '/audit/ingest', body)).body as unknown as {
    auditId: string;
  };
  const audit = await customer.client.request('GET', `/audits/${auditId}?wait=30`);
  expect(audit.body.status).toBe('COMPLETED');
  const signal = await customer.client.request('GET', `/dashboard/signals/${auditId}`);
  expect(signal.body.violations).toContain('CUSTOM_RULE');
  expect(stub.received.length).toBeGreaterThan(0);
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT judge.example:${judgePort}`]));
  expect(service.output()).not.toContain(PASSWORD);
}, 60_000);
