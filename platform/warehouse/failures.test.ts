import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, test } from '@jest/globals';
import { openWarehouse } from './clickhouse.ts';
import { maskErrorText, toWarehouseError } from './failures.ts';
import { type Warehouse, WarehouseRejected, WarehouseUnavailable } from './port.ts';

const logger = { info() {}, warn() {}, error() {} };

const answer = (code: string, type: string, message = 'something about hidden words') =>
  toWarehouseError('query', new ClickHouseError({ message, code, type }));

/** Runs against a server that answers as told, and closes it. */
async function against(
  listener: RequestListener,
  run: (warehouse: Warehouse) => Promise<void>,
): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const warehouse = openWarehouse({
    url: `http://127.0.0.1:${port}`,
    username: 'default',
    password: 'x',
    database: 'default',
    logger,
    requestTimeoutMs: 300,
  });
  try {
    await run(warehouse);
  } finally {
    await warehouse.close();
    server.closeAllConnections();
    server.close();
  }
}

describe('what is worth a retry', () => {
  test.each([
    ['159', 'TIMEOUT_EXCEEDED'],
    ['202', 'TOO_MANY_SIMULTANEOUS_QUERIES'],
    ['241', 'MEMORY_LIMIT_EXCEEDED'],
    ['242', 'TABLE_IS_READ_ONLY'],
    ['252', 'TOO_MANY_PARTS'],
    ['319', 'UNKNOWN_STATUS_OF_INSERT'],
    ['999', 'KEEPER_EXCEPTION'],
  ])('code %s %s is', (code, type) => expect(answer(code, type)).toBeInstanceOf(WarehouseUnavailable));

  test.each([
    ['27', 'CANNOT_PARSE_INPUT_ASSERTION_FAILED'],
    ['53', 'TYPE_MISMATCH'],
    ['60', 'UNKNOWN_TABLE'],
    ['62', 'SYNTAX_ERROR'],
    ['516', 'AUTHENTICATION_FAILED'],
  ])('code %s %s is not', (code, type) => {
    const error = answer(code, type);
    expect(error).toBeInstanceOf(WarehouseRejected);
    expect(error.code).toBe(Number(code));
  });

  test('every fault without an answer of ClickHouse is', async () => {
    await against(
      (_request, response) => response.writeHead(502).end('<html>Bad gateway</html>'),
      (warehouse) => expect(warehouse.query('SELECT 1')).rejects.toBeInstanceOf(WarehouseUnavailable),
    );
    await against(
      (request) => request.socket.destroy(),
      (warehouse) =>
        expect(warehouse.insert('t', ['a'], [{ a: 1 }])).rejects.toBeInstanceOf(WarehouseUnavailable),
    );
    await against(
      () => {},
      (warehouse) => expect(warehouse.query('SELECT 1')).rejects.toThrow(/no answer in time/),
    );
    await against(
      (_request, response) => response.end('not JSON\n'),
      (warehouse) => expect(warehouse.query('SELECT 1')).rejects.toBeInstanceOf(WarehouseUnavailable),
    );
  });

  test('a result cut off in the middle is a failure', () =>
    against(
      (_request, response) => {
        response.writeHead(200);
        response.write('{"a":1}\n', () => response.socket?.destroySoon());
      },
      (warehouse) => expect(warehouse.query('SELECT 1')).rejects.toBeInstanceOf(WarehouseUnavailable),
    ));

  test('a read is sent again once over a new connection, an insert never', async () => {
    let requests = 0;
    const dropFirst: RequestListener = (request, response) => {
      requests++;
      if (requests === 1) request.socket.destroy();
      else request.resume().once('end', () => response.end('{"a":1}\n'));
    };
    await against(dropFirst, async (warehouse) => {
      expect(await warehouse.query('SELECT 1')).toEqual([{ a: 1 }]);
    });
    expect(requests).toBe(2);
    requests = 0;
    await against(dropFirst, async (warehouse) => {
      await expect(warehouse.insert('t', ['a'], [{ a: 1 }])).rejects.toBeInstanceOf(WarehouseUnavailable);
    });
    expect(requests).toBe(1);
  });
});

describe('error texts', () => {
  test('keep code and type, and nothing of an answer that may quote data', () => {
    expect(answer('27', 'CANNOT_PARSE_TEXT').message).toBe('query failed with CANNOT_PARSE_TEXT (code 27)');
    expect(answer('27', 'CANNOT_PARSE_TEXT').cause).toBeUndefined();
  });

  test('of naming faults keep the names', () => {
    expect(
      answer('60', 'UNKNOWN_TABLE', "Unknown table expression identifier 'nope' in scope SELECT 'hidden'")
        .message,
    ).toBe("query failed with UNKNOWN_TABLE (code 60): Unknown table expression identifier '...'");
    expect(maskErrorText("Missing columns: `foo` near 'it\\'s hidden' and \"hidden\" 123456")).toBe(
      'Missing columns: `foo` near \'...\' and "..." #',
    );
    expect(maskErrorText('Syntax error: failed at position 12 (hidden words): more hidden')).toBe(
      'Syntax error: failed at position 12',
    );
    expect(maskErrorText(`Type ${'x'.repeat(1_000)}`).length).toBeLessThanOrEqual(160);
  });
});
