import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '#jest';
import { readSettings } from '#platform/config/settings.ts';
import { createLifecycle, type Lifecycle } from '#platform/process/lifecycle.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { WarehouseUnavailable } from '#platform/warehouse/port.ts';
import { distributedDependencies } from './distributed-dependencies.ts';

let server: Server;
let asleepFor: number;
let logged: string[];
let lifecycle: Lifecycle;

const hear = (_fields: object, message: string): void => void logged.push(message);
const logger = { debug: () => undefined, info: hear, warn: hear, error: hear } as unknown as Logger;

beforeEach(async () => {
  [asleepFor, logged, lifecycle] = [0, [], createLifecycle(logger)];
  server = createServer((request, response) => {
    request.resume();
    asleepFor -= 1;
    if (asleepFor < 0) response.end('1\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await lifecycle.stop();
  server.closeAllConnections();
  server.close();
});

/** The warehouse of a role started with these settings. */
function open(more: Record<string, string>) {
  const settings = readSettings({
    KAFKA_BROKERS: 'localhost:9092',
    REDIS_URL: 'redis://localhost:6379',
    SCHEMA_REGISTRY_URL: 'http://localhost:8081',
    CLICKHOUSE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CLICKHOUSE_TIMEOUT_MS: '1000',
    ...more,
  });
  if (settings.profile !== 'distributed') throw new Error('the settings name servers');
  return distributedDependencies({ settings, lifecycle, logger, now: Date.now }).warehouse();
}

test('a start waits beyond CLICKHOUSE_TIMEOUT_MS for a waking warehouse, and says so', async () => {
  asleepFor = 1;
  await (await open({})).ping();
  expect(logged).toEqual(['warehouse not ready; retrying', 'warehouse ready']);
});

test('a start with CLICKHOUSE_WAIT_MS 0 ends at the first failure', async () => {
  asleepFor = Infinity;
  await expect(open({ CLICKHOUSE_WAIT_MS: '0' })).rejects.toThrow(WarehouseUnavailable);
  expect(logged).toEqual([]);
});
