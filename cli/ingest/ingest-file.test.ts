import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { ingestFile, type Rejected, type Tally } from './ingest-file.ts';
import { openProgressFile } from './progress-file.ts';
import { segmentsOf } from './segments.ts';
import type { Item } from './splitter.ts';

interface Request {
  readonly key: string;
  readonly headers: IncomingHttpHeaders;
  readonly lines: readonly string[];
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** Null: the connection is broken. */
type Service = (request: Request) => Reply | null;

let server: Server;
let service: Service;
let requests: Request[];
let url: string;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ingest-file-'));
  requests = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString('utf8').split('\n').filter(Boolean);
    const sent = { key: String(request.headers['idempotency-key']), headers: request.headers, lines };
    requests.push(sent);
    const reply = service(sent);
    if (reply === null) response.destroy();
    else response.writeHead(reply.status, reply.headers).end(JSON.stringify(reply.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const AT_ONCE = { 'retry-after': '0' };
const refusal = (status: number, code: string): Reply => ({
  status,
  headers: AT_ONCE,
  body: { statusCode: status, code, message: 'why', error: '', requestId: '' },
});
/** Accepts lines for which `isGood` is true; the id of an audit is its line. */
const answer = (lines: readonly string[], isGood = (_line: string): boolean => true): Reply => {
  const data = lines.map((line, index) =>
    isGood(line)
      ? { index, auditId: `id-${line}`, status: 'QUEUED' }
      : { index, error: { statusCode: 400, code: 'INVALID_REQUEST', message: 'no triplet' } },
  );
  const accepted = lines.filter(isGood).length;
  return { status: accepted > 0 ? 202 : 400, body: { success: accepted > 0, accepted, rejected: 0, data } };
};

interface Run {
  readonly tally: Tally;
  readonly rejected: readonly Rejected[];
}

async function run(lines: readonly (string | null)[], patienceMs = 60_000): Promise<Run> {
  async function* items(): AsyncGenerator<Item> {
    for (const [n, text] of lines.entries())
      yield { line: n + 1, bytes: text === null ? null : Buffer.from(text) };
  }
  const progress = await openProgressFile(path.join(folder, 'progress'), { url, key: 'k' });
  const rejected: Rejected[] = [];
  const tally = await ingestFile({
    segments: segmentsOf(items()),
    progress,
    sender: { url, headers: { 'x-service-key': 'secret' }, send: fetch, patienceMs },
    stop: () => undefined,
    sandbox: undefined,
    onRejected: (item) => rejected.push(item),
    onProgress: () => undefined,
  }).finally(progress.close);
  return { tally, rejected };
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));

describe('a file', () => {
  test('is sent completely, in batches with separate keys', async () => {
    service = ({ lines }) => answer(lines);
    const { tally } = await run(numbers(2_500));
    expect(tally).toEqual({ accepted: 2_500, repeated: 0, rejected: 0 });
    expect(requests.flatMap(({ lines }) => lines).sort()).toEqual(numbers(2_500).sort());
    expect(new Set(requests.map(({ key }) => key)).size).toBe(3);
    for (const { headers } of requests)
      expect([headers['x-service-key'], headers['content-type']]).toEqual(['secret', 'application/x-ndjson']);
  });

  test('is not sent again, except for lines that changed or were rejected', async () => {
    service = ({ lines }) => answer(lines, (line) => line !== '7');
    const first = await run(numbers(1_500));
    expect(first.tally).toEqual({ accepted: 1_499, repeated: 0, rejected: 1 });
    expect(first.rejected).toEqual([{ line: 8, code: 'INVALID_REQUEST', message: 'no triplet' }]);
    requests = [];
    service = ({ lines }) => answer(lines);
    const changed = numbers(1_500).with(1_200, 'changed');
    expect((await run([...changed, 'added'])).tally).toEqual({ accepted: 3, repeated: 1_498, rejected: 0 });
    expect(requests.map(({ lines }) => lines).sort()).toEqual([['7'], ['changed', 'added']].sort());
    requests = [];
    expect((await run([...changed, 'added'])).tally).toEqual({ accepted: 0, repeated: 1_501, rejected: 0 });
    expect(requests).toEqual([]);
  });

  test('is sent with the same keys when its progress was lost, and its replayed audits count as repeats', async () => {
    service = ({ lines }) => answer(lines);
    await run(numbers(1_200));
    const keys = requests.map(({ key }) => key);
    rmSync(path.join(folder, 'progress'));
    requests = [];
    service = ({ lines }) => ({ ...answer(lines), headers: { 'idempotent-replayed': 'true' } });
    expect((await run(numbers(1_200))).tally).toEqual({ accepted: 0, repeated: 1_200, rejected: 0 });
    expect(requests.map(({ key }) => key).sort()).toEqual(keys.sort());
  });

  test('has its unsendable items rejected locally, and the rest sent', async () => {
    service = ({ lines }) => answer(lines);
    const { tally, rejected } = await run(['1', null, '[1,\n2', '2']);
    expect(tally).toEqual({ accepted: 2, repeated: 0, rejected: 2 });
    expect(rejected.map(({ line, code }) => [line, code])).toEqual([
      [2, 'BODY_TOO_LARGE'],
      [3, 'INVALID_JSON'],
    ]);
    expect(requests.map(({ lines }) => lines)).toEqual([['1', '2']]);
  });
});

describe('a service that cannot accept a batch now', () => {
  test('gets the same batch and key again, until it can', async () => {
    const troubles: (Reply | null)[] = [
      refusal(429, 'RATE_LIMITED'),
      null,
      refusal(503, 'UNAVAILABLE'),
      refusal(409, 'IDEMPOTENCY_IN_FLIGHT'),
      { status: 502, body: '<html>', headers: AT_ONCE },
    ];
    service = ({ lines }) => (troubles.length === 0 ? answer(lines) : troubles.shift()!);
    expect((await run(['1', '2'])).tally).toEqual({ accepted: 2, repeated: 0, rejected: 0 });
    expect(requests).toHaveLength(6);
    expect(new Set(requests.map(({ key }) => key)).size).toBe(1);
  });

  test('gets the whole batch again if it could not accept all items', async () => {
    service = ({ lines }) => {
      const { status, body } = answer(lines);
      if (requests.length > 1) return { status, body };
      const { data } = body as { data: object[] };
      data[1] = { index: 1, error: { statusCode: 503, code: 'UNAVAILABLE', message: 'later' } };
      return { status, body, headers: AT_ONCE };
    };
    expect((await run(['1', '2'])).tally).toEqual({ accepted: 2, repeated: 0, rejected: 0 });
    expect(requests.map(({ key }) => key)).toEqual([requests[0]?.key, requests[0]?.key]);
  });

  test('is given up after the time limit; accepted items are kept', async () => {
    service = ({ lines }) =>
      lines.length === 1_000 ? answer(lines) : { ...refusal(503, 'DOWN'), headers: { 'retry-after': '60' } };
    await expect(run(numbers(1_100), 1_000)).rejects.toThrow('503 DOWN');
    service = ({ lines }) => answer(lines);
    expect((await run(numbers(1_100))).tally).toEqual({ accepted: 100, repeated: 1_000, rejected: 0 });
  });

  test.each([401, 403, 422])('ends the run at once with status %i', async (status) => {
    service = () => refusal(status, 'NO');
    await expect(run(['1'])).rejects.toThrow(`why (${status} NO)`);
    expect(requests).toHaveLength(1);
  });
});
