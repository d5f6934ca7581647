import { once } from 'node:events';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, test } from '#jest';
import { retryWithBackoff } from '#platform/flow/retry.ts';
import {
  type Warehouse,
  WarehouseDamaged,
  WarehouseLimitExceeded,
  WarehouseRejected,
  WarehouseUnavailable,
} from '../port.ts';
import { openWarehouse, type WarehouseOptions } from './clickhouse.ts';
import { maskErrorText, toWarehouseError } from './failures.ts';

const logger = { info() {}, warn() {}, error() {} };

const OPTIONS = {
  username: 'default',
  password: 'x',
  database: 'default',
  logger,
  requestTimeoutMs: 300,
};

const answer = (code: string, type: string, message = 'something about hidden words') =>
  toWarehouseError('query', new ClickHouseError({ message, code, type }));

/** Runs against a server with this listener, then closes it. */
async function against(
  listener: RequestListener,
  run: (warehouse: Warehouse) => Promise<void>,
  options: Partial<WarehouseOptions> = {},
  serverOptions: ServerOptions = {},
): Promise<void> {
  const server = createServer(serverOptions, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const warehouse = openWarehouse({ ...OPTIONS, url: `http://127.0.0.1:${port}`, ...options });
  try {
    await run(warehouse);
  } finally {
    await warehouse.close();
    server.closeAllConnections();
    server.close();
  }
}

describe('retryable errors', () => {
  test.each([
    ['202', 'TOO_MANY_SIMULTANEOUS_QUERIES'],
    ['241', 'MEMORY_LIMIT_EXCEEDED'],
    ['242', 'TABLE_IS_READ_ONLY'],
    ['252', 'TOO_MANY_PARTS'],
    ['319', 'UNKNOWN_STATUS_OF_INSERT'],
    ['999', 'KEEPER_EXCEPTION'],
  ])('code %s %s is worth a retry', (code, type) =>
    expect(answer(code, type)).toBeInstanceOf(WarehouseUnavailable),
  );

  test.each([
    ['27', 'CANNOT_PARSE_INPUT_ASSERTION_FAILED'],
    ['53', 'TYPE_MISMATCH'],
    ['62', 'SYNTAX_ERROR'],
  ])('code %s %s is not worth a retry', (code, type) => {
    const error = answer(code, type);
    expect(error).toBeInstanceOf(WarehouseRejected);
    expect(error.code).toBe(Number(code));
  });

  test.each([
    ['33', 'CANNOT_READ_ALL_DATA'],
    ['40', 'CHECKSUM_DOESNT_MATCH'],
    ['60', 'UNKNOWN_TABLE'],
    ['107', 'FILE_DOESNT_EXIST'],
    ['271', 'CANNOT_DECOMPRESS'],
    ['432', 'UNKNOWN_CODEC'],
  ])('code %s %s is damage, and the error names the command that lists it', (code, type) => {
    const error = answer(code, type);
    expect(error).toBeInstanceOf(WarehouseDamaged);
    expect(error.message).toMatch(/stored data is damaged, run "cas damage"/);
    expect(error.code).toBe(Number(code));
  });

  test('damage names the part of the table, and quotes nothing else from the server', () => {
    const folder = 'store/729/729b179c-a9d5-45a8-84bc-9e54fcfb54db/all_1_1_1';
    const text = `Checksum doesn't match 'hidden': (while reading from part /data/${folder}/ of hidden)`;
    const { message } = answer('40', 'CHECKSUM_DOESNT_MATCH', text);
    expect(message).toContain('in part all_1_1_1 of table 729b179c-a9d5-45a8-84bc-9e54fcfb54db;');
    expect(message).not.toContain('hidden');
  });

  test.each([
    ['192', 'UNKNOWN_USER'],
    ['194', 'REQUIRED_PASSWORD'],
    ['497', 'ACCESS_DENIED'],
    ['516', 'AUTHENTICATION_FAILED'],
  ])('code %s %s is an outage that an operator must end, and the error says how', (code, type) => {
    const error = answer(code, type);
    expect(error).toBeInstanceOf(WarehouseUnavailable);
    expect(error.message).toMatch(/check CLICKHOUSE_USERNAME|on the server$/);
    expect(error.message).not.toContain('hidden');
  });

  test('work waits and resumes when a password was changed on the server', async () => {
    let refusals = 2;
    await against(
      (_request, response) => {
        if (refusals-- > 0) {
          const text = 'Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED)';
          response.writeHead(403, { 'X-ClickHouse-Exception-Code': '516' }).end(text);
        } else response.end('{"n":1}\n');
      },
      async (warehouse) => {
        const outages: string[] = [];
        const rows = await retryWithBackoff(
          {
            signal: new AbortController().signal,
            backoff: { firstMs: 1, maxMs: 1, random: () => 0 },
            onRetry: (error) => void outages.push((error as Error).message),
          },
          () => warehouse.query('SELECT 1 AS n'),
        );
        expect(rows).toEqual([{ n: 1 }]);
        expect(outages).toEqual([1, 2].map(() => expect.stringContaining('CLICKHOUSE_PASSWORD')));
      },
    );
  });

  test('too many parts of a table is transient, too many partitions of one insert is not', () => {
    const busy =
      'Too many parts (3001) in all partitions in total in table. Merges are processing slower than inserts.';
    const never =
      'Too many partitions for single INSERT block (more than 100). The limit is controlled by a setting.';
    expect(answer('252', 'TOO_MANY_PARTS', busy)).toBeInstanceOf(WarehouseUnavailable);
    expect(answer('252', 'TOO_MANY_PARTS', never)).toBeInstanceOf(WarehouseRejected);
  });

  test('every failure without a response from ClickHouse is worth a retry', async () => {
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

  test('a truncated result is a failure', () =>
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

describe('a statement that exceeded its own limits', () => {
  const failed = (operation: string, code: string, message: string) =>
    toWarehouseError(operation, new ClickHouseError({ message, code, type: 'SOME_TYPE' }));

  test.each([
    [
      'query',
      '159',
      'Timeout exceeded: elapsed 10 s',
      /limit of time \(SOME_TYPE, code 159\); use a shorter period/,
    ],
    ['stream', '159', 'Timeout exceeded: elapsed 10 s', /limit of time/],
    ['query', '241', 'Query memory limit exceeded: would use 2 GiB', /limit of memory/],
    ['insert', '241', 'Memory limit (for query) exceeded: would use 2 GiB', /limit of memory/],
    ['query', '396', 'Limit for result exceeded', /limit of rows or bytes/],
    ['query', '158', 'Limit for rows to read exceeded', /limit of rows/],
  ])('%s, code %s: %s', (operation, code, message, said) => {
    const error = failed(operation, code, message);
    expect(error).toBeInstanceOf(WarehouseLimitExceeded);
    expect(error.code).toBe(Number(code));
    expect(error.message).toMatch(said);
  });

  test.each([
    ['insert', '159', 'Timeout exceeded: elapsed 60 s'],
    ['command', '159', 'Distributed DDL task is not finished'],
    ['query', '241', '(total) memory limit exceeded: would use 20 GiB'],
    ['query', '241', 'User memory limit exceeded: would use 20 GiB'],
  ])('not if the server’s limit was exceeded: %s, code %s: %s', (operation, code, message) => {
    expect(failed(operation, code, message)).toBeInstanceOf(WarehouseUnavailable);
  });
});

describe('a cluster', () => {
  /** Refuses the first requests like ClickHouse, then answers. */
  const refusing = (times: number, code: number): { listener: RequestListener; urls: string[] } => {
    const urls: string[] = [];
    return {
      urls,
      listener: (request, response) => {
        urls.push(request.url ?? '');
        response.setHeader('X-ClickHouse-Exception-Tag', 'tag');
        request.resume().once('end', () => {
          if (urls.length > times) response.end('{"a":1}\n');
          else
            response
              .writeHead(500, { 'X-ClickHouse-Exception-Code': String(code) })
              .end(`Code: ${code}. DB::Exception: not yet. (SOME_TYPE)`);
        });
      },
    };
  };

  test.each([286, 289])('retries a transient refusal (%s)', async (code) => {
    const { listener, urls } = refusing(2, code);
    await against(
      listener,
      async (warehouse) => {
        await warehouse.insert('t', ['a'], [{ a: 1 }]);
        expect(await warehouse.query('SELECT 1')).toEqual([{ a: 1 }]);
      },
      { cluster: 'main' },
    );
    expect(urls).toHaveLength(4);
  });

  test('does not retry other errors, nor any error of a single server', async () => {
    for (const [code, options] of [
      [242, { cluster: 'main' }],
      [286, {}],
    ] as const) {
      const { listener, urls } = refusing(1, code);
      await against(
        listener,
        (warehouse) =>
          expect(warehouse.insert('t', ['a'], [{ a: 1 }])).rejects.toBeInstanceOf(WarehouseUnavailable),
        options,
      );
      expect(urls).toHaveLength(1);
    }
  });

  test('requests demand a majority and the newest rows from a cluster, but not from a single server', async () => {
    const wanted = ['insert_quorum=auto', 'insert_quorum_parallel=0', 'select_sequential_consistency=1'];
    for (const [options, isAsked] of [
      [{ cluster: 'main' }, true],
      [{}, false],
    ] as const) {
      const { listener, urls } = refusing(0, 0);
      await against(
        listener,
        async (warehouse) => {
          await warehouse.query('SELECT 1');
          for await (const _ of warehouse.stream('SELECT 1'));
          await warehouse.insert('t', ['a'], [{ a: 1 }]);
          await warehouse.command('OPTIMIZE TABLE t');
        },
        options,
      );
      expect(urls).toHaveLength(4);
      for (const url of urls) {
        for (const setting of wanted) expect(url.includes(setting)).toBe(isAsked);
      }
    }
  });
});

describe('connections', () => {
  test('every request carries limits of time and memory', async () => {
    const urls: string[] = [];
    await against(
      (request, response) => {
        urls.push(request.url ?? '');
        response.setHeader('X-ClickHouse-Exception-Tag', 'tag');
        request.resume().once('end', () => response.end('{"a":1}\n'));
      },
      async (warehouse) => {
        await warehouse.query('SELECT 1');
        for await (const _ of warehouse.stream('SELECT 1'));
        await warehouse.insert('t', ['a'], [{ a: 1 }]);
        await warehouse.command('OPTIMIZE TABLE t');
      },
    );
    expect(urls).toHaveLength(4);
    for (const url of urls) expect(url).toMatch(/(?=.*max_execution_time=\d)(?=.*max_memory_usage=\d)/);
  });

  test('an idle connection is closed by the client, before a server that keeps it for three seconds would', async () => {
    let closedBy: Promise<string> | undefined;
    await against(
      (request, response) => {
        const { socket } = request;
        closedBy ??= new Promise((resolve) => {
          socket.once('end', () => resolve('client'));
          socket.once('close', () => resolve('server'));
        });
        response.setHeader('X-ClickHouse-Exception-Tag', 'tag');
        request.resume().once('end', () => response.end('{"a":1}\n'));
      },
      async (warehouse) => {
        await warehouse.query('SELECT 1');
        expect(await closedBy).toBe('client');
      },
      {},
      { keepAliveTimeout: 3_000 },
    );
  });
});

describe('error texts', () => {
  test('keep code and type, and nothing of a response that may quote data', () => {
    expect(answer('27', 'CANNOT_PARSE_TEXT').message).toBe('query failed with CANNOT_PARSE_TEXT (code 27)');
    expect(answer('27', 'CANNOT_PARSE_TEXT').cause).toBeUndefined();
  });

  test('keep the names in naming errors', () => {
    expect(
      answer('60', 'UNKNOWN_TABLE', "Unknown table expression identifier 'nope' in scope SELECT 'hidden'")
        .message,
    ).toMatch(/^query failed with UNKNOWN_TABLE \(code 60\): Unknown table expression identifier '...'; /);
    expect(maskErrorText("Missing columns: `foo` near 'it\\'s hidden' and \"hidden\" 123456")).toBe(
      'Missing columns: `foo` near \'...\' and "..." #',
    );
    expect(maskErrorText('Syntax error: failed at position 12 (hidden words): more hidden')).toBe(
      'Syntax error: failed at position 12',
    );
    expect(maskErrorText(`Type ${'x'.repeat(1_000)}`).length).toBeLessThanOrEqual(160);
  });
});
