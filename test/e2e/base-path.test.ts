import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { runCas, startCas } from '../helpers/cas-process.ts';
import { customerClient, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { removeDataDir, temporaryDataDir } from '../helpers/service.ts';

/** The service under a path of a host, behind one proxy that keeps the path and one that strips it. */

const BASE = '/audit';
let dataDir: string;
let service: Awaited<ReturnType<typeof startCas>>;
let key: string;
let token: string;
let stripping: Awaited<ReturnType<typeof startStrippingProxy>>;

/** Serves only `/audit` and strips it from forwarded requests. */
async function startStrippingProxy(origin: string) {
  const server = http.createServer((request, response) => {
    const { url = '', method, headers } = request;
    if (!url.startsWith(`${BASE}/`)) {
      response.writeHead(404).end();
      return;
    }
    const passed = http.request(origin + url.slice(BASE.length), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response, { end: false });
      answer.once('end', () => {
        response.addTrailers(answer.trailers as Record<string, string>);
        response.end();
      });
    });
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${BASE}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

beforeAll(async () => {
  dataDir = temporaryDataDir();
  service = await startCas(['start'], { DATA_DIR: dataDir, PORT: '0', BASE_PATH: BASE });
  const link = await eventually(
    'the link is printed',
    5_000,
    async () => /http:\S+\/ui\/#token=[0-9a-f]{64}/.exec(service.output())?.[0],
  );
  const [address, fragment] = link.split('/ui/#token=');
  expect(address).toBe(service.url);
  token = fragment!;
  key = /cas_[0-9a-f]{48}/.exec(service.output())![0];
  stripping = await startStrippingProxy(new URL(service.url).origin);
}, 60_000);
afterAll(async () => {
  stripping?.close();
  await service?.killTree();
  removeDataDir(dataDir);
});

const PROXIES = [
  ['passes the path on', () => service.url],
  ['removes the path', () => stripping.url],
] as const;

test('the startup output shows the address with the path', () => {
  expect(new URL(service.url).pathname).toBe(BASE);
  expect(service.output()).toContain(`API docs    ${service.url}/docs\n`);
});

describe.each(PROXIES)('a proxy that %s', (_name, urlOf) => {
  test('reaches the dashboard, whose files are all under the path', async () => {
    for (const address of ['/ui', '/ui/', '/ui/signals?open=1', '/ui/incidents/7']) {
      const answer = await fetch(urlOf() + address);
      const page = await answer.text();
      const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
      expect([answer.status, files.length]).toEqual([200, expect.any(Number)]);
      expect(files.length).toBeGreaterThan(3);
      for (const file of files) {
        expect(file).toMatch(/^\/audit\/ui\/assets\/[\w.-]+$/);
        expect((await fetch(new URL(file, urlOf()))).status).toBe(200);
      }
    }
    const root = await fetch(`${urlOf()}/`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/audit/ui/']);
  });

  test('reaches the API description and its page', async () => {
    const { servers } = (await (await fetch(`${urlOf()}/openapi.json`)).json()) as { servers: object[] };
    expect(servers).toEqual([expect.objectContaining({ url: BASE })]);
    const page = await (await fetch(`${urlOf()}/docs`)).text();
    for (const [, file] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const { pathname } = new URL(file!, `${urlOf()}/docs`);
      expect(pathname).toMatch(/^\/audit\/docs\//);
      expect((await fetch(new URL(pathname, urlOf()))).status).toBe(200);
    }
  });

  test('passes audits, and `cas` works through it', async () => {
    const client = customerClient(urlOf(), key);
    const { body } = await client.request('POST', '/audit/ingest', triplet('customer-support', 1));
    const audit = await client.request('GET', `/audits/${String(body.auditId)}?wait=30`);
    expect(audit.body.status).toBe('COMPLETED');
    const environment = { CAS_API_KEY: key, DATA_DIR: dataDir };
    const file = path.join(dataDir, `${new URL(urlOf()).port}.ndjson`);
    const { code } = await runCas(
      ['export', '--url', urlOf(), '--format', 'ndjson', '-o', file],
      environment,
    );
    expect([code, readFileSync(file, 'utf8')]).toEqual([0, expect.stringContaining(String(body.auditId))]);
  });

  test('passes the stream of signals', async () => {
    const stopped = new AbortController();
    const answer = await fetch(`${urlOf()}/dashboard/stream`, {
      headers: { 'x-service-key': key },
      signal: stopped.signal,
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/event-stream'),
    ]);
    stopped.abort();
  });
});

test('probes, metrics and operator commands need no path', async () => {
  const { origin, port } = new URL(service.url);
  for (const probe of ['/health/live', '/health/ready', '/metrics'])
    expect([probe, (await fetch(origin + probe)).status]).toEqual([probe, 200]);
  const { code, output } = await runCas(['partitions'], {
    DATA_DIR: dataDir,
    PORT: port,
    BASE_PATH: BASE,
  });
  expect([code, output]).toEqual([0, expect.not.stringContaining('404')]);
});

test('the link of the first start signs in with a cookie limited to the path', async () => {
  const answer = await fetch(`${service.url}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ linkToken: token }),
  });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
    200,
    expect.stringMatching(/^cas_session=\S+; Path=\/audit; HttpOnly; SameSite=Strict$/),
  ]);
});
