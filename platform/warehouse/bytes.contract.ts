import { describe, expect, test } from '#jest';
import type { ByteFormat, Warehouse } from './port.ts';

const NUMBERS = "SELECT number, repeat('x', 100) AS filler FROM numbers(200000)";

/** The part of the warehouse contract about results streamed as file bytes. */
export function describeBytes(current: () => Warehouse): void {
  const read = async (sql: string, format: ByteFormat, params?: Record<string, unknown>): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of current().streamBytes(sql, format, params)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const running = async (marker: string): Promise<number> => {
    const rows = await current().query<{ n: number }>(
      `SELECT count() AS n FROM system.processes
        WHERE position(query, {marker:String}) > 0 AND position(query, 'system.processes') = 0`,
      { marker },
    );
    return rows[0]?.n ?? -1;
  };

  describe('bytes of a result', () => {
    const SELECT = `SELECT {text:String} AS text, ['a', 'b'] AS tags, NULL AS none, true AS flag, 0.1 AS ratio,
      toDateTime64('2026-01-02 03:04:05.678', 3, 'UTC') AS at`;
    const text = 'say "a\nb", \r\n__exception__\r\nabc\r\n zażółć 😀 \\ /';

    test('are what the engine writes in the format, one line per row', async () => {
      const json = {
        text,
        tags: ['a', 'b'],
        none: null,
        flag: true,
        ratio: 0.1,
        at: '2026-01-02T03:04:05.678Z',
      };
      const line = async (format: ByteFormat): Promise<unknown> => {
        const all = (await read(SELECT, format, { text })).toString('utf8');
        expect(all.endsWith('\n')).toBe(true);
        expect(all.indexOf('\n')).toBe(all.length - 1);
        return JSON.parse(all);
      };
      expect(await line('JSONEachRow')).toEqual(json);
      expect(await line('JSONCompactEachRow')).toEqual(Object.values(json));
      const csv = await read('SELECT {text:String} AS text, 1 AS one, NULL AS none', 'CSV', { text });
      expect(csv.toString('utf8')).toBe(`"${text.replaceAll('"', '""')}",1,\\N\n`);
    });

    test('are complete for a large result', async () => {
      const csv = await read(NUMBERS, 'CSV');
      const lines = csv.toString('latin1').split('\n');
      expect(lines).toHaveLength(200_001);
      expect(lines.every((line, index) => index === 200_000 || line.startsWith(`${index},"x`))).toBe(true);
      const parquet = await read(NUMBERS, 'Parquet');
      expect(parquet.subarray(0, 4).toString()).toBe('PAR1');
      expect(parquet.subarray(-4).toString()).toBe('PAR1');
      expect(await read('SELECT 1 WHERE 0', 'CSV')).toEqual(Buffer.alloc(0));
    });

    test('end in an error if the statement fails midway, without the error’s text', async () => {
      const sql = 'SELECT throwIf(number = 200000) AS x FROM numbers(300000) SETTINGS max_block_size = 1000';
      for (const format of ['CSV', 'JSONEachRow'] as const) {
        const chunks: Buffer[] = [];
        const reading = (async () => {
          for await (const chunk of current().streamBytes(sql, format)) chunks.push(chunk);
        })();
        await expect(reading).rejects.toMatchObject({ name: 'WarehouseRejected', code: 395 });
        const seen = Buffer.concat(chunks).toString('latin1');
        expect(seen.length).toBeGreaterThan(0);
        expect(seen).toMatch(format === 'CSV' ? /^(0\n)*0?$/ : /^(\{"x":0\}\n)*[{"x:0}]*$/);
      }
    });

    test('are subject to time limits, and a wrong statement is refused before the first byte', async () => {
      const endless = (async () => {
        const limits = { maxExecutionSeconds: 1 };
        for await (const chunk of current().streamBytes(
          'SELECT number FROM system.numbers',
          'CSV',
          {},
          limits,
        ))
          expect(chunk.length).toBeGreaterThan(0);
      })();
      await expect(endless).rejects.toMatchObject({ name: 'WarehouseLimitExceeded', code: 159 });
      await expect(read('SELECT * FROM no_such_table', 'CSV')).rejects.toMatchObject({ code: 60 });
    });

    const eventuallyStopped = async (marker: string): Promise<void> => {
      const deadline = Date.now() + 5_000;
      while ((await running(marker)) !== 0) expect(Date.now()).toBeLessThan(deadline);
    };

    test('stop the statement on the server when they are no longer read', async () => {
      const marker = `bytes_left_${process.pid}`;
      const sql = `SELECT number, '${marker}' AS name, sleepEachRow(0.001) AS pause
        FROM system.numbers SETTINGS max_block_size = 100`;
      for await (const chunk of current().streamBytes(sql, 'CSV')) {
        expect(chunk.length).toBeGreaterThan(0);
        expect(await running(marker)).toBe(1);
        break;
      }
      await eventuallyStopped(marker);
    });

    test('are stopped by a signal at any point', async () => {
      const marker = `bytes_stopped_${process.pid}`;
      const sql = `SELECT number, '${marker}' AS name FROM system.numbers
        WHERE sleepEachRow(0.001) = 0 AND number >= {from:UInt64} SETTINGS max_block_size = 100`;
      // One statement never produces a byte, the other produces some immediately.
      for (const from of [2 ** 53, 0]) {
        const controller = new AbortController();
        const options = { stop: controller.signal };
        const reading = (async () => {
          for await (const chunk of current().streamBytes(sql, 'CSV', { from }, options))
            expect(chunk.length).toBeGreaterThan(0);
        })();
        const outcome = expect(reading).rejects.toMatchObject({ name: 'WarehouseUnavailable' });
        const deadline = Date.now() + 5_000;
        while ((await running(marker)) === 0) expect(Date.now()).toBeLessThan(deadline);
        controller.abort();
        await outcome;
        await eventuallyStopped(marker);
        const late = current().streamBytes(sql, 'CSV', { from }, options)[Symbol.asyncIterator]();
        await expect(late.next()).rejects.toMatchObject({ name: 'WarehouseUnavailable' });
        expect(await running(marker)).toBe(0);
      }
    });
  });
}
