import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { NO_PROXIES } from '#platform/outgoing/proxies.ts';
import { fetchFile } from './fetch-file.ts';

const CONTENT = Buffer.from('auditId\n"a"\n'.repeat(20_000));
const DIGEST = `sha-256=:${createHash('sha256').update(CONTENT).digest('base64')}:`;
const TRAILERS = {
  'content-digest': DIGEST,
  'x-row-count': '20000',
  'x-as-of': '2026-11-22T10:00:00.000Z',
  'x-tree-size': '20007',
};

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'fetch-file-'));
  file = path.join(folder, 'signals.csv');
});
afterEach(() => rm(folder, { recursive: true }));

/** A service that sends the content, then ends the response with `end`. */
async function fetched(end: (response: ServerResponse) => void, headers: Record<string, string> = {}) {
  return from((_request, response) => {
    response.writeHead(200, { trailer: Object.keys(TRAILERS).join(', '), ...headers });
    response.write(CONTENT, () => end(response));
  });
}

async function from(listener: RequestListener, to: string | null = file) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  let seen = 0;
  try {
    const options = {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      query: 'format=csv',
      headers: { 'x-service-key': 'k' },
      proxies: NO_PROXIES,
      path: to,
    };
    const found = await fetchFile({ ...options, onBytes: (bytes) => (seen += bytes.length) });
    return { ...found, seen };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const withTrailers =
  (trailers: Record<string, string>) =>
  (response: ServerResponse): void => {
    response.addTrailers(trailers);
    response.end();
  };

test("a file with the service's digest gets its name", async () => {
  const found = await fetched(withTrailers(TRAILERS));
  expect(found).toEqual({
    path: file,
    bytes: CONTENT.length,
    seen: CONTENT.length,
    contentDigest: DIGEST,
    rows: 20_000,
    asOf: '2026-11-22T10:00:00.000Z',
    treeSize: '20007',
  });
  expect(await readFile(file)).toEqual(CONTENT);
  expect(await readdir(folder)).toEqual(['signals.csv']);
});

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['is cut off', (response) => response.destroy(), /ended early, after \d+ bytes.*Export again/],
  [
    'has another digest',
    withTrailers({ ...TRAILERS, 'content-digest': 'sha-256=:AAAA:' }),
    /does not match the digest of the export/,
  ],
  [
    'comes without trailers and headers',
    (response) => response.end(),
    /trailers and the headers x-as-of and x-tree-size are missing/,
  ],
])('an export that %s leaves only the old file', async (_what, end, message) => {
  await writeFile(file, 'old');
  await expect(fetched(end)).rejects.toThrow(message);
  expect(await readFile(file, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['signals.csv']);
});

test("reports a refusal in the service's words", async () => {
  const refuse: RequestListener = (_request, response) =>
    response.writeHead(401).end(JSON.stringify({ code: 'INVALID_KEY', message: 'Invalid API key' }));
  await expect(from(refuse)).rejects.toMatchObject({
    message: 'Invalid API key (401 INVALID_KEY)',
    statusCode: 401,
    code: 'INVALID_KEY',
  });
  const proxy: RequestListener = (_request, response) => response.writeHead(502, 'Bad Gateway').end('<html>');
  await expect(from(proxy)).rejects.toThrow('Bad Gateway (502)');
  expect(await readdir(folder)).toEqual([]);
});

test('ignores a missing file name and one that leads elsewhere', async () => {
  for (const name of ['../signals.csv', '.hidden', null]) {
    const named: RequestListener = (_request, response) => {
      if (name !== null) response.setHeader('content-disposition', `attachment; filename="${name}"`);
      response.end('x');
    };
    await expect(from(named, null)).rejects.toThrow(/gave no file name. Give one with -o/);
  }
});

test('reports a missing folder and a service that does not answer', async () => {
  const missing = path.join(folder, 'missing', 'signals.csv');
  const send: RequestListener = (_request, response) => response.end('x');
  await expect(from(send, missing)).rejects.toThrow(
    /Cannot write .*signals.csv.part: no such file or folder/,
  );
  const unreachable = fetchFile({
    baseUrl: 'http://127.0.0.1:9',
    query: '',
    headers: {},
    proxies: NO_PROXIES,
    path: file,
    onBytes: () => {},
  });
  await expect(unreachable).rejects.toThrow('No service answers at http://127.0.0.1:9 (ECONNREFUSED)');
});

/** A service with its manifest, behind a proxy that forwards headers and bodies but no trailers. */
function droppingTrailers(
  bytes: Buffer,
  manifest: object,
): { requests: string[]; listener: RequestListener } {
  const requests: string[] = [];
  const headers = { 'x-as-of': TRAILERS['x-as-of'], 'x-tree-size': TRAILERS['x-tree-size'] };
  const listener: RequestListener = ({ url = '' }, response) => {
    requests.push(url);
    if (url.startsWith('/dashboard/signals/export/manifest?')) response.end(JSON.stringify(manifest));
    else response.writeHead(200, headers).end(bytes);
  };
  return { requests, listener };
}

test('an export whose trailers a proxy dropped is checked by the manifest of the same rows', async () => {
  const { requests, listener } = droppingTrailers(CONTENT, { contentDigest: DIGEST, rowCount: 20_000 });
  const found = await from(listener);
  expect(found).toMatchObject({
    rows: 20_000,
    contentDigest: DIGEST,
    asOf: TRAILERS['x-as-of'],
    treeSize: '20007',
  });
  expect(await readFile(file)).toEqual(CONTENT);
  expect(requests).toEqual([
    '/dashboard/signals/export?format=csv',
    '/dashboard/signals/export/manifest?format=csv&asOf=2026-11-22T10%3A00%3A00.000Z&treeSize=20007',
  ]);
});

test('rejects an export that a proxy truncated, although its response ends properly', async () => {
  const { listener } = droppingTrailers(CONTENT.subarray(0, -12), {
    contentDigest: DIGEST,
    rowCount: 20_000,
  });
  await expect(from(listener)).rejects.toThrow(/does not match the digest of the export and was discarded/);
  expect(await readdir(folder)).toEqual([]);
});
