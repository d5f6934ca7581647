import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { type RawAnswer, rawRequest } from '../../test/helpers/raw-request.ts';
import { demandFreePorts, surfacesOfListeners } from './listeners.ts';
import { type Harness, internalHeaders, startHarness } from './testing/harness.ts';

/** Two listeners: operators' paths cannot be reached on the public one, in any spelling. */

const HIDDEN = [
  '/internal/customers',
  '/internal/customers/a-b',
  '/internal/signal',
  '/metrics',
  '/health/ready',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
/** Replaces a hidden path with one of the same length that never existed. */
const unknownLike = (path: string): string =>
  path.replace(/^\/(internal|metrics|health)/, (name) => `/${'z'.repeat(name.length - 1)}`);

const hex = (character: string): string => character.charCodeAt(0).toString(16);
const encodeAt = (path: string, at: number): string =>
  `${path.slice(0, at)}%${hex(path[at]!)}${path.slice(at + 1)}`;
const encodeLetters = (path: string): string => path.replace(/[^/]/g, (letter) => `%${hex(letter)}`);

/** Spellings of an address that some proxy or router treats as the path. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  plain: (path) => path,
  'first letter encoded': (path) => encodeAt(path, 1),
  'last letter encoded': (path) => encodeAt(path, path.length - 1),
  'a letter behind the second slash encoded': (path) => encodeAt(path, path.indexOf('/', 1) + 1),
  'all letters encoded': encodeLetters,
  'slashes encoded too': (path) => `/${encodeLetters(path.slice(1)).replaceAll('/', '%2f')}`,
  'encoded in capitals': (path) => encodeLetters(path).toUpperCase(),
  'encoded twice': (path) => encodeLetters(path).replaceAll('%', '%25'),
  'slash encoded': (path) => `/${path.slice(1).replaceAll('/', '%2f')}`,
  'first slash encoded': (path) => `/%2F${path.slice(1)}`,
  'two slashes': (path) => `/${path}`,
  'three slashes': (path) => `//${path}`,
  'two slashes inside': (path) => `/${path.slice(1).replaceAll('/', '//')}`,
  'a dot segment': (path) => `/.${path}`,
  'an encoded dot segment': (path) => `/%2e${path}`,
  'out of another path': (path) => `/sandboxes/..${path}`,
  'out of another path, encoded': (path) => `/sandboxes/%2e%2e${path}`,
  'out of another path, slash encoded': (path) => `/sandboxes/..%2f${path.slice(1)}`,
  'out of an open path': (path) => `/docs/..${path}`,
  'out of health': (path) => `/health/live/../..${path}`,
  capitals: (path) => path.toUpperCase(),
  'a capital': (path) => `/${path[1]!.toUpperCase()}${path.slice(2)}`,
  'slash at the end': (path) => `${path}/`,
  'dot at the end': (path) => `${path}/.`,
  'a query': (path) => `${path}?limit=1`,
  'an empty query': (path) => `${path}?`,
  'a parameter of the segment': (path) => `${path};a=b`,
  'a parameter of the first segment': (path) => `/${path.slice(1).replace(/\/|$/, ';a=b$&')}`,
  'a fragment': (path) => `${path}#a`,
  'an encoded zero': (path) => `${path}%00`,
  'an encoded blank': (path) => `${path}%20`,
  'an encoded line end': (path) => `${path}%0d%0a`,
  backslashes: (path) => path.replaceAll('/', '\\'),
  'an encoded backslash': (path) => `/%5c${path.slice(1)}`,
  'a slash in too many bytes': (path) => `/%c0%af${path.slice(1)}`,
  'full-width letters': (path) =>
    `/${[...path.slice(1)].map((letter) => encodeURIComponent(String.fromCharCode(letter.charCodeAt(0) + 0xfee0))).join('')}`,
  'the whole address': (path) => `http://127.0.0.1${path}`,
  'the whole address, capitals': (path) => `HTTP://LOCALHOST${path}`,
  'the whole address of another host': (path) => `http://example.org:1${path}`,
  'without a slash': (path) => path.slice(1),
};

/** Headers in which proxies pass on the original address. */
const REWRITTEN = [
  'x-original-url',
  'x-rewrite-url',
  'x-forwarded-path',
  'x-http-method-override',
  'x-forwarded-prefix',
];

let harnesses: Record<'client' | 'admin' | 'all', Harness>;
let urls: Record<'client' | 'admin' | 'all', string>;
beforeAll(async () => {
  const { client, admin } = surfacesOfListeners({ adminPort: 9090, internalOnPublic: false });
  // Each reading advances the clock by a second, so that no address's bucket is ever empty.
  let atMs = Date.now();
  const now = (): number => (atMs += 1_000);
  const start = async (surfaces: typeof client) => startHarness({ dependencies: { surfaces, now } });
  harnesses = {
    client: await start(client),
    admin: await start(admin!),
    all: await startHarness({ dependencies: { now } }),
  };
  const listen = ({ app }: Harness) => app.listen({ host: '127.0.0.1', port: 0 });
  urls = {
    client: await listen(harnesses.client),
    admin: await listen(harnesses.admin),
    all: await listen(harnesses.all),
  };
});
afterAll(async () => {
  for (const harness of Object.values(harnesses ?? {})) await harness.close();
});

/** Everything that a client sees of an answer, except what always differs. */
const seen = ({ status, headerNames, body }: RawAnswer) => ({
  status,
  headerNames,
  body: body.replace(/"requestId":"[^"]+"/, ''),
});

describe('the public listener next to an operators’ listener', () => {
  test.each(HIDDEN)(
    'answers %s like a path that never existed, in every spelling, method and with the secret',
    async (path) => {
      for (const [name, spell] of Object.entries(SPELLINGS)) {
        for (const headers of [{}, internalHeaders]) {
          const hidden = await rawRequest(urls.client, 'GET', spell(path), headers);
          const unknown = await rawRequest(urls.client, 'GET', spell(unknownLike(path)), headers);
          expect([name, seen(hidden)]).toEqual([name, seen(unknown)]);
        }
      }
      expect((await rawRequest(urls.client, 'GET', path, internalHeaders)).status).toBe(404);
      for (const method of METHODS) {
        const hidden = await rawRequest(urls.client, method, path, internalHeaders);
        const unknown = await rawRequest(urls.client, method, unknownLike(path), internalHeaders);
        expect([method, seen(hidden)]).toEqual([method, seen(unknown)]);
      }
      for (const header of REWRITTEN) {
        const answer = await rawRequest(urls.client, 'GET', '/nowhere', {
          ...internalHeaders,
          [header]: path,
        });
        expect([header, answer.status]).toEqual([header, 404]);
      }
    },
  );

  test('would need more than a filter, because some spellings reach the path where it is served', async () => {
    const reached: string[] = [];
    for (const [name, spell] of Object.entries(SPELLINGS)) {
      const { status } = await rawRequest(urls.all, 'GET', spell('/internal/customers'), internalHeaders);
      if (status === 200) reached.push(name);
    }
    expect(reached).toEqual(
      expect.arrayContaining([
        'plain',
        'first letter encoded',
        'all letters encoded',
        'a query',
        'the whole address',
      ]),
    );
  });

  test('names none of them in methods, links or health', async () => {
    expect((await harnesses.client.call({ url: '/' })).body.health).toBe('/health/live');
    expect((await harnesses.all.call({ url: '/' })).body.health).toBe('/health/ready');
    expect((await harnesses.client.call({ url: '/health/live' })).body).toEqual({ status: 'live' });
  });
});

describe('the operators’ listener', () => {
  test('serves all of its paths, and none of the customers’', async () => {
    const { app, call } = harnesses.admin;
    expect((await call({ url: '/internal/customers', headers: internalHeaders })).status).toBe(200);
    expect((await call({ url: '/internal/customers' })).status).toBe(401);
    for (const url of ['/metrics', '/health/ready', '/health/live'])
      expect([url, (await call({ url })).status]).toEqual([url, 200]);
    const customer = await harnesses.admin.customer();
    for (const url of ['/', '/sandboxes', '/audits', '/dashboard/stats', '/openapi.json', '/docs'])
      expect([url, (await app.inject({ url, headers: customer.headers })).statusCode]).toEqual([url, 404]);
  });
});

test('without a separate port everything is on the public one; if configured, /internal is on both', () => {
  expect(surfacesOfListeners({ adminPort: null, internalOnPublic: false })).toEqual({
    client: ['client', 'internal', 'operation'],
    admin: null,
  });
  expect(surfacesOfListeners({ adminPort: 9090, internalOnPublic: true })).toEqual({
    client: ['client', 'internal'],
    admin: ['internal', 'operation'],
  });
});

describe('a check before the start', () => {
  const settings = { host: '127.0.0.1', port: 0, adminHost: '127.0.0.1', adminPort: null };

  test('refuses a port in use with the setting to change, and leaves a free one free', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(demandFreePorts({ ...settings, port })).rejects.toThrow(
      `port ${port} of 127.0.0.1 is in use; stop the program that listens there or set PORT`,
    );
    await expect(demandFreePorts({ ...settings, adminPort: port })).rejects.toThrow(/or set ADMIN_PORT$/);
    other.close();
    await once(other, 'close');
    await demandFreePorts({ ...settings, port });
    await demandFreePorts({ ...settings, port });
  });

  test('refuses a host that is not an address of this machine', async () => {
    await expect(demandFreePorts({ ...settings, host: '192.0.2.1', port: 8_080 })).rejects.toThrow(
      '192.0.2.1 is not an address of this machine; set HOST',
    );
  });
});
