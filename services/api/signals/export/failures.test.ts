import { EventEmitter, once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from '#jest';
import { type Warehouse, WarehouseUnavailable } from '#platform/warehouse/port.ts';
import { EXPORT_FORMATS } from '#schemas/api/export.ts';
import { emptyWarehouse, type Harness, startHarness } from '../../testing/harness.ts';
import { download } from './testing/download.ts';

const EXPORT = '/dashboard/signals/export';
const MAX_SHEET_ROWS = 1_048_575;
const outage = (): never => {
  throw new WarehouseUnavailable('the warehouse went away', 210);
};

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const logged: object[] = [];

async function start(warehouse: Partial<Warehouse>, overrides = {}) {
  logged.length = 0;
  const logger = { info() {}, error() {}, warn: (fields: object) => void logged.push(fields) };
  const started = await startHarness({
    warehouse: { ...emptyWarehouse(), ...warehouse },
    dependencies: { logger: logger as never },
  });
  harness = started;
  const url = await started.app.listen({ port: 0, host: '127.0.0.1' });
  const { headers } = await started.customer('PRO', overrides);
  return (path: string, method?: string) => download(url + path, headers, method);
}

const countOf = (total: number): Warehouse['query'] =>
  (async (sql: string) => (sql.includes('groupArrayIf') ? [{ total, ends: [] }] : [])) as Warehouse['query'];

describe('a warehouse failure', () => {
  test('midway closes the connection, and is logged', async () => {
    const rows = Buffer.from(`["${'a'.repeat(200_000)}"]\n`);
    const get = await start({
      async *streamBytes() {
        yield rows;
        outage();
      },
    });
    for (const format of EXPORT_FORMATS) {
      logged.length = 0;
      const { status, error, trailers } = await get(`${EXPORT}?format=${format}`);
      expect([format, status, error?.message]).toEqual([format, 200, 'aborted']);
      expect(trailers).toEqual({});
      expect(logged).toEqual([{ format, err: expect.any(WarehouseUnavailable) }]);
    }
    // No failed export still counts as running.
    for (let round = 0; round < 20; round++) {
      expect((await get(`${EXPORT}?format=csv`)).status).toBe(200);
      expect((await get(`${EXPORT}/manifest`)).status).toBe(503);
    }
  });

  test('before the first byte is answered as an outage', async () => {
    const get = await start({
      // biome-ignore lint/correctness/useYield: it fails before
      async *streamBytes() {
        outage();
      },
    });
    const { status, headers, bytes, error } = await get(`${EXPORT}?format=ndjson`);
    expect([status, error]).toEqual([503, null]);
    expect(headers).toMatchObject({ 'retry-after': '1', 'content-type': 'application/json; charset=utf-8' });
    expect([headers.trailer, headers['content-disposition']]).toEqual([undefined, undefined]);
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('through an invalid row is reported without quoting it', async () => {
    const get = await start({
      async *streamBytes() {
        yield Buffer.from('["hidden words]\n');
      },
    });
    for (const format of ['xlsx', 'parquet']) {
      expect((await get(`${EXPORT}?format=${format}`)).error).not.toBeNull();
      const [{ err }] = logged.splice(0) as [{ err: Error }];
      expect([err.message, String(err.stack)].join()).not.toContain('hidden');
    }
  });

  test('during planning is answered as an outage and holds no permit', async () => {
    const get = await start({ query: async () => outage() });
    for (let round = 0; round < 20; round++) expect((await get(EXPORT)).status).toBe(503);
    expect((await get(EXPORT, 'HEAD')).status).toBe(503);
  });
});

test('a client that leaves stops its manifest without a log line', async () => {
  const seen = new EventEmitter();
  const lines: string[] = [];
  const get = await start({
    streamBytes: (_sql, _format, _params, { stop } = {}) =>
      (async function* () {
        yield Buffer.from('x');
        const stopped = once(stop!, 'abort');
        seen.emit('reading');
        await stopped;
        // After everything that the failure triggers.
        setImmediate(() => seen.emit('failed'));
        outage();
      })(),
  });
  harness!.dependencies.logger.error = () => lines.push('error');
  harness!.dependencies.logger.warn = () => lines.push('warn');
  const reading = once(seen, 'reading');
  const left = get(`${EXPORT}/manifest`).catch((error: Error) => error);
  await reading;
  const failed = once(seen, 'failed');
  harness!.app.server.closeAllConnections();
  expect(await left).toMatchObject({ code: 'ECONNRESET' });
  await failed;
  expect(lines).toEqual([]);
});

describe('an export request', () => {
  test('for more signals than a sheet has rows is refused before anything is sent', async () => {
    let asked = 0;
    const get = await start({
      query: countOf(MAX_SHEET_ROWS + 1),
      async *streamBytes() {
        asked++;
        yield Buffer.from('');
      },
    });
    for (const path of [EXPORT, `${EXPORT}/manifest`]) {
      const { status, bytes } = await get(`${path}?format=xlsx`);
      const { code, message } = JSON.parse(bytes.toString());
      expect([status, code]).toEqual([400, 'EXPORT_TOO_LARGE']);
      expect(message).toMatch(/hold at most 1048575 signals, but 1048576 match\. Use csv, ndjson or json/);
    }
    expect(asked).toBe(0);
    expect((await get(`${EXPORT}?format=csv`)).status).toBe(200);
    expect(asked).toBe(1);
  });

  test('for exactly as many as a sheet has is accepted', async () => {
    const get = await start({ query: countOf(MAX_SHEET_ROWS) });
    expect((await get(`${EXPORT}?format=xlsx`)).status).toBe(200);
  });

  test('costs one token, and respects its customer’s limit', async () => {
    const get = await start({}, { rate: 0.01, burst: 2 });
    expect((await get(EXPORT)).headers['x-ratelimit-remaining']).toBe('1');
    expect((await get(`${EXPORT}/manifest`)).headers['x-ratelimit-remaining']).toBe('0');
    const { status, bytes, headers } = await get(EXPORT);
    expect([status, JSON.parse(bytes.toString()).code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});

test('two customers with stalled readers leave permits for a third', async () => {
  const started = await startHarness({
    warehouse: {
      ...emptyWarehouse(),
      async *streamBytes() {
        for (;;) yield Buffer.alloc(64 * 1024, 'x');
      },
    },
  });
  harness = started;
  const url = await started.app.listen({ port: 0, host: '127.0.0.1' });
  const begin = (headers: Readonly<Record<string, string>>): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = get(`${url}${EXPORT}?format=ndjson`, { headers, agent: false }, (response) => {
        response.on('error', () => undefined);
        resolve(response);
      });
      request.once('error', reject);
    });
  const statuses: (number | undefined)[][] = [];
  for (let customer = 0; customer < 2; customer++) {
    const { headers } = await started.customer();
    const held = await Promise.all(Array.from({ length: 16 }, () => begin(headers)));
    statuses.push(held.map(({ statusCode }) => statusCode));
  }
  for (const of of statuses) expect(of.filter((status) => status === 200)).toHaveLength(4);
  const third = await begin((await started.customer()).headers);
  expect(third.statusCode).toBe(200);
  started.app.server.closeAllConnections();
});
