import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { describeBytes } from './bytes.contract.ts';
import { type Warehouse, WarehouseLimitExceeded, WarehouseRejected } from './port.ts';

/** A warehouse under test; `close` releases the server as well. */
export interface WarehouseUnderTest {
  readonly warehouse: Warehouse;
  close(): Promise<void>;
}

const COLUMNS = ['index', 'text', 'note', 'tags', 'size', 'ratio', 'at'] as const;
const TABLE = `(\`index\` UInt64, text String, note Nullable(String), tags Array(String), size UInt64, ratio Float64,
  at DateTime64(3, 'UTC'))`;

const LITTLE_MEMORY = 'SETTINGS max_memory_usage = 100000000';

interface Row extends Record<string, unknown> {
  index: number;
  text: string;
  note: string | null;
  tags: string[];
  size: number;
  ratio: number;
  at: string;
}

const BASE: Row = {
  index: 0,
  text: '',
  note: null,
  tags: [],
  size: 0,
  ratio: 0,
  at: '2026-01-02T03:04:05.678Z',
};
const AWKWARD_TEXTS = [
  '',
  ' ',
  "it's",
  '"double" `back`',
  'back\\slash \\n \\N \\',
  'line\nfeed\r\ttab',
  'nul \u0000 bell \u0007 \b \f',
  'zażółć 漢字 😀 \u2028',
  '{name:String} ; -- /* */ %s ?',
  'NULL',
  "['a','b']",
];

/** The contract that every warehouse must meet, with a real server or the embedded engine. */
export function describeWarehouseContract(name: string, factory: () => Promise<WarehouseUnderTest>): void {
  describe(name, () => {
    let underTest: WarehouseUnderTest;
    let warehouse: Warehouse;
    let tables = 0;
    const createTable = async (definition: string): Promise<string> => {
      tables++;
      const table = `contract_${process.pid}_${tables}`;
      await warehouse.command(`DROP TABLE IF EXISTS ${table}`);
      await warehouse.command(`CREATE TABLE ${table} ${definition}`);
      return table;
    };
    const createPlain = (): Promise<string> => createTable(`${TABLE} ENGINE = MergeTree ORDER BY \`index\``);

    beforeAll(async () => {
      underTest = await factory();
      warehouse = underTest.warehouse;
    });
    afterAll(() => underTest.close());

    const storedBack = async (rows: readonly Row[]): Promise<Row[]> => {
      const table = await createPlain();
      await warehouse.insert(table, COLUMNS, rows);
      return warehouse.query<Row>(`SELECT * FROM ${table} ORDER BY \`index\``);
    };

    describeBytes(() => warehouse);

    test('answers a ping', () => expect(warehouse.ping()).resolves.toBeUndefined());

    test('text is read back unchanged', async () => {
      const rows = AWKWARD_TEXTS.map((text, index) => ({
        ...BASE,
        index,
        text,
        note: text,
        tags: [text, 'x', text],
      }));
      expect(await storedBack(rows)).toEqual(rows);
    });

    test('numbers, nulls, empty arrays and times are read back unchanged', async () => {
      const ratios = [
        0.1, 1e21, 5e-324, -1.5, 1.7976931348623157e308, 2.2250738585072014e-308, 0.30000000000000004,
      ];
      const sizes = [0, 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1];
      const times = ['1970-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '2199-12-31T00:00:00.001Z'];
      const rows = [
        ...ratios.map((ratio) => ({ ...BASE, ratio })),
        ...sizes.map((size) => ({ ...BASE, size })),
        ...times.map((at) => ({ ...BASE, at })),
      ].map((row, index) => ({ ...row, index }));
      expect(await storedBack(rows)).toEqual(rows);
    });

    test('values that JSON cannot express are defined: -0 becomes 0, a lone surrogate U+FFFD', async () => {
      const [row] = await storedBack([{ ...BASE, ratio: -0, text: 'a\ud800b', tags: ['\udfff'] }]);
      expect(row).toEqual({ ...BASE, ratio: 0, text: 'a\ufffdb', tags: ['\ufffd'] });
    });

    test('parameters arrive as values, whatever they contain', async () => {
      for (const text of AWKWARD_TEXTS) {
        const rows = await warehouse.query(
          'SELECT {text:String} AS text, {texts:Array(String)} AS texts, {note:Nullable(String)} AS note',
          { text, texts: [text, text], note: text },
        );
        expect(rows).toEqual([{ text, texts: [text, text], note: text }]);
      }
      const at = new Date('2026-01-02T03:04:05.678Z');
      const values = {
        count: 2 ** 53 - 1,
        ratio: 0.1,
        none: null,
        empty: [],
        numbers: [1, 2],
        flag: true,
        at,
      };
      const [row] = await warehouse.query(
        `SELECT {count:UInt64} AS count, {ratio:Float64} AS ratio, {none:Nullable(String)} AS none,
          {empty:Array(String)} AS empty, {numbers:Array(UInt64)} AS numbers, {flag:Bool} AS flag,
          {at:DateTime64(3, 'UTC')} AS at`,
        values,
      );
      expect(row).toEqual({ ...values, at: at.toISOString() });
    });

    test('accepts thousands of parameters at once', async () => {
      const ids = Array.from({ length: 2_000 }, (_, index) => `id-${index}-${'x'.repeat(30)}-'`);
      const rows = await warehouse.query(
        'SELECT arrayStringConcat({ids:Array(String)}, ?) AS joined'.replace('?', "'|'"),
        {
          ids,
        },
      );
      expect(rows).toEqual([{ joined: ids.join('|') }]);
    });

    test('refuses a missing or mistyped parameter without quoting its value', async () => {
      await expect(warehouse.query('SELECT {a:Nullable(String)}')).rejects.toMatchObject({ code: 456 });
      const failure = await warehouse
        .query('SELECT {a:UInt8}', { a: 'hidden words' })
        .catch((error) => error);
      expect(failure).toBeInstanceOf(WarehouseRejected);
      expect(failure.message).not.toContain('hidden');
    });

    test('one bad row refuses the whole insert, and is not quoted', async () => {
      const table = await createPlain();
      const rows = Array.from({ length: 5_000 }, (_, index) => ({ ...BASE, index, text: 'x'.repeat(500) }));
      const bad = { ...BASE, index: 'hidden words' };
      const failure = await warehouse.insert(table, COLUMNS, [...rows, bad, ...rows]).catch((error) => error);
      expect(failure).toBeInstanceOf(WarehouseRejected);
      expect(failure.code).toBeGreaterThan(0);
      expect(failure.message).not.toContain('hidden');
      expect(await warehouse.query(`SELECT count() AS n FROM ${table}`)).toEqual([{ n: 0 }]);
    });

    test('rows of more partitions than one insert may touch are permanently refused', async () => {
      const table = await createTable(
        `${TABLE} ENGINE = MergeTree PARTITION BY \`index\` ORDER BY \`index\``,
      );
      const rows = Array.from({ length: 101 }, (_, index) => ({ ...BASE, index }));
      await expect(warehouse.insert(table, COLUMNS, rows)).rejects.toMatchObject({
        name: 'WarehouseRejected',
        code: 252,
      });
      await warehouse.insert(table, COLUMNS, rows.slice(1));
      expect(await warehouse.query(`SELECT count() AS n FROM ${table}`)).toEqual([{ n: 100 }]);
    });

    test('a row that lacks a column is refused before it is sent; an empty list sends no insert', async () => {
      const table = await createPlain();
      await expect(warehouse.insert(table, COLUMNS, [{ index: 1 }])).rejects.toThrow(
        /row 0 lacks column text/,
      );
      await warehouse.insert(table, COLUMNS, []);
      expect(await warehouse.query(`SELECT count() AS n FROM ${table}`)).toEqual([{ n: 0 }]);
    });

    test('FINAL keeps the highest revision of rows with one sort key, and one of identical rows', async () => {
      const table = await createTable(
        '(id String, revision UInt64, text String) ENGINE = ReplacingMergeTree(revision) ORDER BY id',
      );
      const columns = ['id', 'revision', 'text'];
      await warehouse.insert(table, columns, [{ id: 'a', revision: 0, text: 'first' }]);
      await warehouse.insert(table, columns, [{ id: 'a', revision: 7, text: '' }]);
      await warehouse.insert(table, columns, [{ id: 'a', revision: 0, text: 'first' }]);
      expect(await warehouse.query(`SELECT * FROM ${table} FINAL`)).toEqual([
        { id: 'a', revision: 7, text: '' },
      ]);
    });

    test('streams a large result in constant memory', async () => {
      const before = process.memoryUsage().rss;
      let rows = 0;
      let sum = 0;
      let peak = 0;
      const sql = "SELECT number, repeat('x', 500) AS filler FROM numbers(300000)";
      for await (const chunk of warehouse.stream<{ number: number }>(sql)) {
        rows += chunk.length;
        for (const row of chunk) sum += row.number;
        peak = Math.max(peak, process.memoryUsage().rss);
      }
      expect({ rows, sum }).toEqual({ rows: 300_000, sum: (300_000 * 299_999) / 2 });
      expect(peak - before).toBeLessThan(120 * 1024 * 1024);
    });

    test('streams rows as arrays of their values', async () => {
      const sql =
        'SELECT number, toString(number) AS text, [number] AS list, NULL AS none FROM numbers(20000)';
      const rows: (readonly [number, string, number[], null])[] = [];
      for await (const chunk of warehouse.streamTuples<(typeof rows)[number]>(sql)) rows.push(...chunk);
      expect(rows).toHaveLength(20_000);
      expect(rows[7]).toEqual([7, '7', [7], null]);
    });

    test('a stream that fails midway throws instead of ending', async () => {
      const sql = 'SELECT throwIf(number = 200000) AS x FROM numbers(300000) SETTINGS max_block_size = 1000';
      let rows = 0;
      const reading = (async () => {
        for await (const chunk of warehouse.stream(sql)) rows += chunk.length;
      })();
      await expect(reading).rejects.toMatchObject({ name: 'WarehouseRejected', code: 395 });
      expect(rows).toBeGreaterThan(0);
      await expect(warehouse.query(sql)).rejects.toMatchObject({ code: 395 });
    });

    test('leaving a stream early stops the query on the server', async () => {
      const marker = `left_${process.pid}`;
      // An endless result of small blocks; a server checks for a stop between blocks.
      const sql = `SELECT number, {marker:String} AS marker, sleepEachRow(0.001) AS pause
        FROM system.numbers SETTINGS max_block_size = 100`;
      const running = async (): Promise<number> => {
        const rows = await warehouse.query<{ n: number }>(
          `SELECT count() AS n FROM system.processes
            WHERE position(query, {marker:String}) > 0 AND position(query, 'system.numbers') > 0
              AND position(query, 'system.processes') = 0`,
          { marker },
        );
        return rows[0]?.n ?? -1;
      };
      for await (const chunk of warehouse.stream(sql, { marker })) {
        expect(chunk.length).toBeGreaterThan(0);
        expect(await running()).toBe(1);
        break;
      }
      await eventually(async () => expect(await running()).toBe(0));
    });

    test('faults of a statement are rejections with ClickHouse’s code', async () => {
      const cases: [string, number][] = [
        ["SELEC 'hidden words'", 62],
        ["SELECT no_such_column, 'hidden words'", 47],
        ['SELECT no_such_function(1)', 46],
        ['SELECT 1; SELECT 2', 62],
      ];
      for (const [sql, code] of cases) {
        const failure = await warehouse.query(sql).catch((error) => error);
        expect(failure).toBeInstanceOf(WarehouseRejected);
        expect(failure.code).toBe(code);
        expect(failure.message).not.toContain('hidden');
      }
      const missing = { name: 'WarehouseDamaged', code: 60 };
      await expect(warehouse.query('SELECT * FROM no_such_table')).rejects.toMatchObject(missing);
      await expect(warehouse.insert('no_such_table', ['a'], [{ a: 1 }])).rejects.toMatchObject(missing);
      const table = await createPlain();
      await expect(warehouse.command(`CREATE TABLE ${table} ${TABLE} ENGINE = Log`)).rejects.toMatchObject({
        code: 57,
      });
    });

    test('limits apply only to their own query', async () => {
      const slow = 'SELECT sleepEachRow(0.1) FROM numbers(100) SETTINGS max_block_size = 1';
      const failure = await warehouse.query(slow, {}, { maxExecutionSeconds: 0.3 }).catch((error) => error);
      expect(failure).toBeInstanceOf(WarehouseLimitExceeded);
      expect(failure.code).toBe(159);
      await expect(
        warehouse.query('SELECT number FROM numbers(11)', {}, { maxRows: 10 }),
      ).rejects.toMatchObject({ name: 'WarehouseLimitExceeded', code: 396 });
      const settings = `SELECT name, value FROM system.settings
        WHERE name IN ('max_execution_time', 'max_memory_usage', 'max_result_rows') ORDER BY name`;
      const byDefault = [
        { name: 'max_execution_time', value: '60' },
        { name: 'max_memory_usage', value: '2147483648' },
        { name: 'max_result_rows', value: '1000000' },
      ];
      // Sequential, so that the same server session may serve all of them.
      for (let round = 0; round < 3; round++) {
        const limited = await warehouse.query(settings, {}, { maxExecutionSeconds: 9, maxRows: 99 });
        expect(limited).toEqual([
          { name: 'max_execution_time', value: '9' },
          { name: 'max_memory_usage', value: '2147483648' },
          { name: 'max_result_rows', value: '99' },
        ]);
        expect(await warehouse.query(settings)).toEqual(byDefault);
      }
      // More concurrent queries than the server has sessions, so that every session is used.
      const answers = await Promise.all(Array.from({ length: 40 }, () => warehouse.query(settings)));
      for (const answer of answers) expect(answer).toEqual(byDefault);
      await warehouse.command('SET max_result_rows = 1');
      expect(await warehouse.query(settings)).toEqual(byDefault);
    });

    test('a runaway query is stopped with an error that names the limit, and other queries are unaffected', async () => {
      const cases: [string, number, RegExp][] = [
        // Limits below the defaults, to keep the test light.
        [
          `SELECT length(groupArray(repeat('x', 1000))) FROM numbers(20000000) ${LITTLE_MEMORY}`,
          241,
          /of memory/,
        ],
        ['SELECT number FROM numbers(2000000)', 396, /of rows or bytes/],
        [
          "SELECT leftPad(toString(number), 1000, 'x') FROM numbers(4000) SETTINGS max_result_bytes = 1000000",
          396,
          /of rows or bytes/,
        ],
      ];
      for (const [sql, code, message] of cases) {
        const [failure, other] = await Promise.all([
          warehouse.query(sql).catch((error) => error),
          warehouse.query('SELECT 1 AS one'),
        ]);
        expect(failure).toBeInstanceOf(WarehouseLimitExceeded);
        expect(failure.code).toBe(code);
        expect(failure.message).toMatch(message);
        expect(other).toEqual([{ one: 1 }]);
      }
      const endless = (async () => {
        for await (const rows of warehouse.stream(
          'SELECT number FROM system.numbers',
          {},
          { maxExecutionSeconds: 1 },
        ))
          expect(rows.length).toBeGreaterThan(0);
      })();
      await expect(endless).rejects.toMatchObject({ name: 'WarehouseLimitExceeded', code: 159 });
    });

    test('stops an insert and a command that need too much memory', async () => {
      const table = await createPlain();
      await expect(
        warehouse.command(
          `INSERT INTO ${table} (text) SELECT arrayStringConcat(groupArray(repeat('x', 1000))) FROM numbers(20000000) ${LITTLE_MEMORY}`,
        ),
      ).rejects.toMatchObject({ name: 'WarehouseLimitExceeded', code: 241 });
      expect(await warehouse.query(`SELECT count() AS n FROM ${table}`)).toEqual([{ n: 0 }]);
    });

    test('queries run concurrently, each with its own parameters, while inserts continue', async () => {
      const table = await createPlain();
      const started = performance.now();
      await Promise.all(Array.from({ length: 8 }, () => warehouse.query('SELECT sleep(0.5)')));
      // In sequence they would take four seconds.
      expect(performance.now() - started).toBeLessThan(3_900);
      const inserts = Array.from({ length: 20 }, (_, index) =>
        warehouse.insert(table, COLUMNS, [{ ...BASE, index, text: `row ${index}` }]),
      );
      const queries = Array.from({ length: 200 }, async (_, index) => {
        const rows = await warehouse.query('SELECT {a:UInt32} AS a, {b:String} AS b', {
          a: index,
          b: `b${index}`,
        });
        expect(rows).toEqual([{ a: index, b: `b${index}` }]);
      });
      await Promise.all([...inserts, ...queries]);
      expect(await warehouse.query(`SELECT count() AS n FROM ${table}`)).toEqual([{ n: 20 }]);
    });
  });
}

/** Repeats the check until it passes, for at most five seconds. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
