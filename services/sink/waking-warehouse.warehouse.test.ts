import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { socketAgent } from '#platform/warehouse/client/socket-agent.ts';
import { untilAwake } from '#platform/warehouse/client/until-awake.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import { type Warehouse, WarehouseUnavailable } from '#platform/warehouse/port.ts';
import { storeWarehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { warehouseStore } from './flush/queries.ts';
import { createSink } from './pipeline.ts';
import { customerIn, decodeLedgerEntry, draftOf, openDetail, storedRecord } from './testing/sample-log.ts';
import { undisturbed } from './testing/undisturbed.ts';

/** The real engine behind a proxy that holds responses, as a cloud does with an idle server. */

const EPOCH = 1;
const RECORDS = 5;
const logger = { info() {}, warn() {}, error() {} };
const CUSTOMER = customerIn(3, 0);

let root: string;
let embedded: EmbeddedWarehouse;
let proxy: Server;
/** Statements whose responses are held, once each, until the client gives up; the engine still executes them. */
let delayed: RegExp[];
let delayedCount: string[];
let direct: Warehouse;
let slow: Warehouse;

beforeAll(async () => {
  [delayed, delayedCount] = [[], []];
  root = await mkdtemp(path.join(os.tmpdir(), 'waking-'));
  embedded = await startEmbeddedWarehouse({ path: root, logger });
  direct = openWarehouse({ ...embedded, logger });
  await migrate(direct, path.join(packageRoot(), 'schemas/tables/migrations'));
  await storeWarehouseEpoch(direct, { epoch: EPOCH, setUp: 'test' }, 0);
  const agent = socketAgent(embedded.socketFolder, 8);
  proxy = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const statement = `${decodeURIComponent((incoming.url ?? '').replaceAll('+', ' '))} ${body.subarray(0, 200)}`;
    const { method, url, headers } = incoming;
    const asked = httpRequest({ agent, method, path: url, headers }, (answer) => {
      const index = delayed.findIndex((one) => one.test(statement));
      if (index >= 0) {
        delayedCount.push(...delayed.splice(index, 1).map(String));
        answer.resume();
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    asked.end(body);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { username, password, database } = embedded;
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  slow = openWarehouse({ url, username, password, database, logger, requestTimeoutMs: 2_000 });
}, 120_000);
afterAll(async () => {
  await slow.close();
  proxy.closeAllConnections();
  proxy.close();
  await direct.close();
  await embedded.stop();
  await rm(root, { recursive: true });
});

test('a flush whose first responses are lost is retried, and nothing is lost or duplicated', async () => {
  delayed = [/ 'ping'/];
  await untilAwake(slow, { waitMs: 60_000, logger, backoff: { firstMs: 1, maxMs: 1 } });
  expect(delayedCount).toHaveLength(1);

  delayed = [/INSERT INTO signals\b/i, /INSERT INTO ledger\b/i, /INSERT INTO positions\b/i];
  const sink = undisturbed(
    createSink({
      log: { read: async () => null, bounds: async () => ({ start: 0, end: 0 }) },
      store: warehouseStore(slow),
      publish: async () => undefined,
      admission: { removePendingMarks: async () => {} },
      decodeLedgerEntry,
      openDetail,
      epoch: EPOCH,
      now: Date.now,
      logger,
      limits: { minRecords: 1 },
    }),
  );
  const records = Array.from({ length: RECORDS }, (_, n) => storedRecord(draftOf(CUSTOMER, 'SIGNAL', n), n));
  const { topic, partition } = records[0]!;
  const batch = { topic, partition, records, nextOffset: RECORDS, end: RECORDS };
  let outages = 0;
  // As the consumer loop does.
  for (let isStored = false; !isStored; )
    await sink.process(batch).then(
      () => {
        isStored = true;
      },
      (error: unknown) => {
        if (!(error instanceof WarehouseUnavailable)) throw error;
        outages += 1;
      },
    );
  expect([outages, delayed]).toEqual([3, []]);
  for (const table of ['ledger', 'signals']) {
    const [found] = await direct.query<{ rows: number; indices: number }>(
      `SELECT count() AS rows, uniqExact(\`index\`) AS indices FROM ${table} FINAL WHERE customerId = {id:String}`,
      { id: CUSTOMER },
    );
    expect({ table, ...found }).toEqual({ table, rows: RECORDS, indices: RECORDS });
  }
  const [chain] = await direct.query<{ different: number; last: number }>(
    'SELECT uniqExact(hash) AS different, max(`index`) AS last FROM ledger WHERE customerId = {id:String}',
    { id: CUSTOMER },
  );
  expect(chain).toEqual({ different: RECORDS, last: RECORDS - 1 });
}, 120_000);
