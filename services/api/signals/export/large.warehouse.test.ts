import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { insertLedger, insertSignals } from '#platform/warehouse/testing/signal-rows.ts';
import { eventually } from '../../../../test/helpers/eventually.ts';
import { parseCsv } from './testing/csv-parser.ts';
import { type ExportWorld, startExportWorld } from './testing/export-world.ts';

const EXPORT = '/dashboard/signals/export';
/** Two windows and part of a third: more than fits into the sockets between engine and reader. */
const ROWS = 40_000;

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
  const { warehouse } = world.real;
  // The halves overlap, so that rows are in several parts and some are stored twice.
  for (const range of [
    { first: 0, rows: 25_000 },
    { first: 15_000, rows: ROWS - 15_000 },
  ]) {
    await insertSignals(warehouse, world.customer.id, range);
    await insertLedger(warehouse, world.customer.id, range);
  }
}, 120_000);
afterAll(() => world.close());

/** Number of export statements that the engine is running. */
async function running(): Promise<number> {
  const rows = await world.real.warehouse.query<{ n: number }>(
    `SELECT count() AS n FROM system.processes
     WHERE position(query, 'max_block_size = 8192') > 0 AND position(query, 'system.processes') = 0`,
  );
  return rows[0]!.n;
}
const nothingRunning = () =>
  eventually('the engine has stopped', 10_000, async () => ((await running()) === 0 ? true : undefined));

/** Starts an export without reading any of it. */
async function begin(query = 'format=ndjson'): Promise<IncomingMessage> {
  const request = http.get(`${world.url}${EXPORT}?${query}`, {
    headers: world.customer.headers,
    agent: false,
  });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

describe('an export of several windows', () => {
  test('has every signal once, newest first', async () => {
    const { bytes, trailers } = await world.get(`${EXPORT}?format=csv`);
    const [, ...records] = parseCsv(bytes.toString('utf8'));
    expect(trailers['x-row-count']).toBe(String(ROWS));
    const indexes = records.map((record) => Number(record[18]));
    expect(indexes).toEqual(Array.from({ length: ROWS }, (_, index) => ROWS - 1 - index));
  }, 60_000);

  test('has the same bytes after its parts were merged', async () => {
    const digests = async () => {
      const found: (string | undefined)[] = [];
      for (const format of ['csv', 'xlsx', 'parquet']) {
        const { trailers, error } = await world.get(`${EXPORT}?format=${format}`);
        expect([error, trailers['x-row-count']]).toEqual([null, String(ROWS)]);
        found.push(trailers['content-digest']);
      }
      return found;
    };
    const before = await digests();
    await world.real.warehouse.command('OPTIMIZE TABLE signals FINAL');
    expect(await digests()).toEqual(before);
  }, 120_000);

  test('is valid JSON as a whole', async () => {
    const { bytes } = await world.get(`${EXPORT}?format=json`);
    expect((JSON.parse(bytes.toString('utf8')) as unknown[]).length).toBe(ROWS);
  }, 60_000);
});

describe('an export’s reader', () => {
  test('slows the engine down if slow, and stops it by leaving', async () => {
    for (const format of ['csv', 'json', 'xlsx']) {
      const response = await begin(`format=${format}`);
      await eventually('the engine waits for the reader', 10_000, async () =>
        (await running()) === 1 ? true : undefined,
      );
      response.socket.destroy();
      await nothingRunning();
    }
  }, 60_000);

  test('starts nothing with HEAD', async () => {
    const { status, headers, bytes, error } = await world.get(`${EXPORT}?format=ndjson`, 'HEAD');
    expect([status, bytes.length, error]).toEqual([200, 0, null]);
    expect(headers['content-type']).toMatch(/^application\/x-ndjson/);
    expect(headers['content-disposition']).toMatch(/\.ndjson"$/);
    expect(await running()).toBe(0);
    expect((await world.get(`${EXPORT}?format=pdf`, 'HEAD')).status).toBe(400);
  });

  test('is refused beyond the limit of concurrent exports, until others are done', async () => {
    const held = await Promise.all(Array.from({ length: 4 }, () => begin()));
    expect(held.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 4 }, () => 200));
    for (const path of [EXPORT, `${EXPORT}/manifest`]) {
      const refused = await world.get(path);
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
      expect(JSON.parse(refused.bytes.toString())).toMatchObject({ code: 'TOO_MANY_AT_ONCE' });
    }
    held[0]!.socket.destroy();
    const next = await eventually('a place is free', 10_000, async () => {
      const answer = await world.get(`${EXPORT}?violation=EMAIL&to=2026-10-01T00:00:00Z`);
      return answer.status === 200 ? answer : undefined;
    });
    expect(next.trailers['x-row-count']).toBe('1');
    for (const response of held) response.socket.destroy();
    await nothingRunning();
  }, 60_000);

  test('is cut off when the server closes, without delaying it', async () => {
    const response = await begin();
    const cut = new Promise((resolve) => response.once('close', resolve));
    response.resume();
    await world.harness.app.close();
    await cut;
    expect(response.complete).toBe(false);
  });
});
