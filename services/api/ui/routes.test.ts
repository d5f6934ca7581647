import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { buildApp } from '../app.ts';
import { type Harness, startHarness } from '../testing/harness.ts';
import { readUiFiles } from './ui-files.ts';

const pageWith = (assets: string): string =>
  `<!doctype html><script type="module" src="${assets}/index-1.js"></script>${'<p>'.repeat(100)}`;
const PAGE = pageWith('/ui/assets');
const SCRIPT = `console.log('dashboard');`.repeat(100);
const files: Readonly<Record<string, string>> = {
  'index.html': pageWith('./assets'),
  'assets/index-1.js': SCRIPT,
  'assets/index-1.css': 'a{}',
  'assets/icon-1.svg': '<svg/>',
  'assets/index-1.js.map': '{}',
};

let folder: string;
let harness: Harness;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ui-'));
  mkdirSync(path.join(folder, 'assets'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), text);
    if (text.length < 100) continue;
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(text));
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text));
  }
  harness = await startHarness({ dependencies: { ui: readUiFiles(folder) } });
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});

describe('the dashboard’s page', () => {
  test.each(['/ui', '/ui/', '/ui/signals', '/ui/incidents/01993d5a-7c00-7000-8000-0000000000a2'])(
    'is served at %s without a key',
    async (url) => {
      const answer = await harness.call({ url });
      expect([answer.status, answer.text]).toEqual([200, PAGE]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
    },
  );

  test('may run only its own scripts, and makes no markup from texts', async () => {
    const policy = String((await harness.call({ url: '/ui/' })).headers['content-security-policy']);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  test.each(['/ui/a/b/c', '/ui//', '/ui/signals/', '/ui/assets/'])('is not served at %s', async (url) =>
    expect((await harness.call({ url })).status).toBe(404),
  );
});

test('the page refers to its files under the service’s path, compressed or not', () => {
  const { plain, brotli, gzip } = readUiFiles(folder, '/audit').page;
  const expected = pageWith('/audit/ui/assets');
  expect(plain.toString()).toBe(expected);
  expect([brotliDecompressSync(brotli!).toString(), gunzipSync(gzip!).toString()]).toEqual([
    expected,
    expected,
  ]);
});

describe('the dashboard’s files', () => {
  test('are cached permanently, and compressed as the client accepts', async () => {
    const ask = async (encodings: string) => {
      const answer = await harness.app.inject({
        url: '/ui/assets/index-1.js',
        headers: { 'accept-encoding': encodings },
      });
      expect(answer.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      });
      return { encoding: answer.headers['content-encoding'], bytes: answer.rawPayload };
    };
    const brotli = await ask('gzip, deflate, br;q=0.9');
    expect([brotli.encoding, brotliDecompressSync(brotli.bytes).toString()]).toEqual(['br', SCRIPT]);
    const gzip = await ask('br;q=0, GZIP');
    expect([gzip.encoding, gunzipSync(gzip.bytes).toString()]).toEqual(['gzip', SCRIPT]);
    const plain = await ask('identity');
    expect([plain.encoding, plain.bytes.toString()]).toEqual([undefined, SCRIPT]);
  });

  test('are sent plain if compression does not help, with their types', async () => {
    const headers = { 'accept-encoding': 'br, gzip' };
    const style = await harness.call({ url: '/ui/assets/index-1.css', headers });
    expect([style.text, style.headers['content-type']]).toEqual(['a{}', 'text/css; charset=utf-8']);
    const icon = await harness.call({ url: '/ui/assets/icon-1.svg', headers });
    expect(icon.headers['content-type']).toBe('image/svg+xml');
  });

  test.each([
    'nothing.js',
    'index-1.js.br',
    'index-1.js.map',
    'index.html',
    '..%2Findex.html',
    '%2e%2e%2findex.html',
    '__proto__',
    'constructor',
  ])('do not include %s, which is not the page either', async (file) =>
    expect((await harness.call({ url: `/ui/assets/${file}` })).status).toBe(404),
  );
});

describe('the root', () => {
  test('redirects browsers to the dashboard, and gives programs an index', async () => {
    const browser = await harness.call({ url: '/', headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([browser.status, browser.headers.location, browser.headers.vary]).toEqual([302, 'ui/', 'Accept']);
    const program = await harness.call({ url: '/', headers: { accept: '*/*' } });
    expect([program.status, program.body.ui, program.headers.vary]).toEqual([200, '/ui/', 'Accept']);
  });
});

test('a service started without the dashboard has none', async () => {
  const { ui: _none, ...without } = harness.dependencies;
  const app = buildApp(without);
  try {
    for (const url of ['/ui', '/ui/signals', '/ui/assets/index-1.js'])
      expect((await app.inject({ url })).statusCode).toBe(404);
  } finally {
    await app.close();
  }
});
