import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '#jest';
import { type Warehouse, WarehouseUnavailable } from '../port.ts';
import { openWarehouse } from './clickhouse.ts';
import { untilAwake } from './until-awake.ts';

/** Like an idle cloud server: it accepts the connection, and does not answer the first requests. */
let server: Server;
let held: ServerResponse[];
let refusal: { readonly code: number; readonly text: string } | null;
let sleepsFor: number;
let warehouse: Warehouse;
/** Waits for an answer as long as a busy machine may need. */
let patient: Warehouse;
let lines: { readonly message: string; readonly fields: object }[];

const hear = (fields: object, message: string): void => void lines.push({ message, fields });
const logger = { info: hear, warn: hear, error: hear };
const backoff = { firstMs: 1, maxMs: 1 };

beforeEach(async () => {
  [held, refusal, sleepsFor, lines] = [[], null, 0, []];
  server = createServer(async (request, response) => {
    request.resume();
    if (refusal !== null) {
      response.writeHead(500, { 'x-clickhouse-exception-code': String(refusal.code) });
      response.end(refusal.text);
    } else if (sleepsFor > 0) {
      sleepsFor -= 1;
      held.push(response);
    } else response.end('1\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const user = { username: 'default', password: '', database: 'default' };
  warehouse = openWarehouse({ url, ...user, logger, requestTimeoutMs: 100 });
  patient = openWarehouse({ url, ...user, logger, requestTimeoutMs: 60_000 });
});
afterEach(async () => {
  await warehouse.close();
  await patient.close();
  server.closeAllConnections();
  server.close();
});

test('does not wait for a server that answers, and logs nothing', async () => {
  await untilAwake(patient, { waitMs: 60_000, logger, backoff });
  expect(lines).toEqual([]);
});

test('waits for a sleeping server beyond a request’s timeout, and logs that it waits', async () => {
  sleepsFor = 2;
  await untilAwake(warehouse, { waitMs: 60_000, logger, backoff });
  expect(held).toHaveLength(2);
  expect(lines.map(({ message }) => message)).toEqual([
    'warehouse not ready; retrying',
    'warehouse not ready; retrying',
    'warehouse ready',
  ]);
  expect(lines[0]?.fields).toMatchObject({ reason: 'ping failed: no answer in time', waitMs: 60_000 });
});

test('gives up on a server that does not wake up in time', async () => {
  sleepsFor = Infinity;
  await expect(untilAwake(warehouse, { waitMs: 0, logger, backoff })).rejects.toThrow(WarehouseUnavailable);
  expect(held).toHaveLength(1);
  expect(lines).toEqual([]);
});

test('does not retry if the server refuses the user', async () => {
  refusal = {
    code: 516,
    text: 'Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED)',
  };
  await expect(untilAwake(warehouse, { waitMs: 60_000, logger, backoff })).rejects.toThrow(
    'CLICKHOUSE_PASSWORD',
  );
  expect(lines).toEqual([]);
});
