import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { askEngine } from '../testing/ask-engine.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from './process.ts';

const SECRET = 'what-stands-in-another-file';

let folder: string;
let outside: string;
let embedded: EmbeddedWarehouse;
let listener: net.Server;
let connections = 0;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'warehouse-'));
  outside = mkdtempSync(path.join(os.tmpdir(), 'outside-'));
  writeFileSync(path.join(outside, 'secret'), `${SECRET}\n`);
  embedded = await startEmbeddedWarehouse({
    path: path.join(folder, 'data'),
    logger: { info() {}, warn() {}, error() {} },
  });
  listener = net.createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  port = (listener.address() as net.AddressInfo).port;
  const made = await askEngine(embedded, {
    body: 'CREATE TABLE own (a String, b UInt64) ENGINE = MergeTree ORDER BY b',
  });
  expect(made.status).toBe(200);
});
afterAll(async () => {
  await embedded.stop();
  listener.close();
  rmSync(folder, { recursive: true });
  rmSync(outside, { recursive: true });
});

/**
 * `FILE`: path outside the engine's folder, `NEW`: path that does not exist, `HOST`: server that counts connections.
 */
const filled = (sql: string): string =>
  sql
    .replaceAll(/\bFILE\b/g, path.join(outside, 'secret'))
    .replaceAll(/\bNEW\b/g, path.join(outside, 'new'))
    .replaceAll(/\bHOST\b/g, `127.0.0.1:${port}`);

/** Refused for lack of a grant, before anything is read, written or connected to. */
const NOT_GRANTED = [
  "SELECT * FROM 'FILE'",
  'SELECT * FROM `FILE`',
  "SELECT * FROM url('http://HOST/x', LineAsString)",
  "SELECT * FROM remote('HOST', system, one)",
  "SELECT * FROM remoteSecure('HOST', system, one)",
  "SELECT * FROM s3('http://HOST/bucket/key', CSV)",
  "SELECT * FROM gcs('http://HOST/bucket/key', CSV)",
  "SELECT * FROM oss('http://HOST/bucket/key', CSV)",
  "SELECT * FROM cosn('http://HOST/bucket/key', CSV)",
  "SELECT * FROM hdfs('hdfs://HOST/x', CSV, 'a String')",
  "SELECT * FROM azureBlobStorage('http://HOST/x', 'a', 'b', CSV)",
  "SELECT * FROM mysql('HOST', 'd', 't', 'u', 'p')",
  "SELECT * FROM postgresql('HOST', 'd', 't', 'u', 'p')",
  "SELECT * FROM mongodb('HOST', 'd', 't', 'u', 'p', 'a String')",
  "SELECT * FROM redis('HOST', 'k', 'k String')",
  "SELECT * FROM sqlite('FILE', 't')",
  "SELECT * FROM odbc('DSN=x', 'd', 't')",
  "SELECT * FROM jdbc('x', 'd', 't')",
  "SELECT * FROM deltaLake('http://HOST/bucket/key')",
  "SELECT * FROM deltaLakeLocal('FILE')",
  "SELECT * FROM iceberg('http://HOST/bucket/key')",
  "SELECT * FROM icebergLocal('FILE')",
  "SELECT * FROM hudi('http://HOST/bucket/key')",
  "SELECT * FROM paimonLocal('FILE')",
  "SELECT * FROM filesystem('FILE')",
  "SELECT * FROM ytsaurus('http://HOST', 'x', 't', 'a String')",
  "DESCRIBE TABLE url('http://HOST/x')",
  "EXPLAIN SELECT * FROM url('http://HOST/x', LineAsString)",
  "INSERT INTO FUNCTION url('http://HOST/x', CSV, 'a String') SELECT 'x'",
  "INSERT INTO FUNCTION remote('HOST', system, one) SELECT 1",
  "CREATE TABLE t (a String) ENGINE = URL('http://HOST/x', CSV)",
  "CREATE TABLE t (a String) ENGINE = Distributed('c', 'default', 'own')",
  "CREATE TABLE t (a String) ENGINE = S3('http://HOST/bucket/key', CSV)",
  "CREATE TABLE t (a String) ENGINE = MySQL('HOST', 'd', 't', 'u', 'p')",
  "CREATE VIEW v AS SELECT * FROM url('http://HOST/x', CSV, 'a String')",
  "CREATE DICTIONARY d (a UInt64) PRIMARY KEY a SOURCE(HTTP(url 'http://HOST/x' format 'CSV')) LAYOUT(FLAT()) LIFETIME(0)",
  'CREATE FUNCTION f AS (x) -> x',
  'CREATE NAMED COLLECTION n AS a = 1',
  'CREATE USER u',
  'GRANT SOURCES ON *.* TO default',
  'SYSTEM SHUTDOWN',
  'SYSTEM FLUSH LOGS',
];

/** Refused by keyword, because no grant covers them. */
const REFUSED_WORDS = [
  "SELECT * FROM file('FILE', LineAsString)",
  "SELECT file('FILE')",
  "SELECT `file`('FILE')",
  'SELECT "file"(\'FILE\')',
  "SELECT `f\\x69le`('FILE')",
  "SELECT “file”('FILE')",
  "SELECT file /* a remark */ ('FILE')",
  "SELECT arrayMap(file, ['FILE'])",
  "SELECT arrayMap(x -> file(x), ['FILE'])",
  "SELECT * APPLY file FROM (SELECT 'FILE')",
  "SELECT 1 # '\n, file('FILE') # '",
  "SELECT $$'$$, file('FILE'), $$'$$",
  "ALTER TABLE own UPDATE a = file('FILE') WHERE 1",
  "CREATE TABLE t (a String DEFAULT file('FILE')) ENGINE = Memory",
  'CREATE TABLE t (a String) ENGINE = File(CSV)',
  "INSERT INTO FUNCTION file('NEW', CSV, 'a String') SELECT 'x'",
  "INSERT INTO own FROM INFILE 'FILE' FORMAT CSV",
  "SELECT 1 INTO OUTFILE 'NEW'",
  "SELECT * FROM executable('x.sh', TSV, 'a String')",
  "CREATE TABLE t (a String) ENGINE = Executable('x.sh', TSV)",
  "SELECT catboostEvaluate('FILE', 1)",
  "ATTACH TABLE t FROM 'FILE' (a String) ENGINE = MergeTree ORDER BY a",
  "BACKUP TABLE own TO File('NEW')",
  "RESTORE TABLE own AS t FROM Disk('default', 'x')",
  "CREATE DATABASE d ENGINE = DataLakeCatalog('http://HOST/x') SETTINGS catalog_type = 'rest', warehouse = 'x'",
  "CREATE /* a remark */ DATABASE d ENGINE = MySQL('HOST', 'd', 'u', 'p')",
];

/** Settings that name a file or an address. */
const FIXED_SETTINGS = [
  "SELECT 1 FORMAT Template SETTINGS format_template_resultset = 'FILE'",
  "SELECT * FROM format(Template, 'a String', 'x') SETTINGS format_template_row = 'FILE'",
  "SELECT 1 AS a FORMAT Protobuf SETTINGS format_schema = 'FILE:X'",
  "SELECT * FROM format(AvroConfluent, 'a String', 'x') SETTINGS format_avro_schema_registry_url = 'http://HOST'",
  "SET format_schema = 'FILE:X'",
  "CREATE TABLE t (a String) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(type = 'web', endpoint = 'http://HOST/x/')",
  "CREATE TABLE t (a String) ENGINE = MergeTree ORDER BY a SETTINGS storage_policy = 'x'",
];

async function refusal(body: string, settings = ''): Promise<string> {
  const { status, headers, bytes } = await askEngine(embedded, { body: filled(body), path: `/${settings}` });
  expect([body, status]).not.toEqual([body, 200]);
  expect(bytes.toString()).not.toContain(SECRET);
  return String(headers['x-clickhouse-exception-code']);
}

describe('the embedded warehouse refuses', () => {
  test.each(NOT_GRANTED)('%s', async (sql) => {
    expect(await refusal(sql)).toBe('497');
  });
  test.each(REFUSED_WORDS)('%s', async (sql) => {
    expect(await refusal(sql)).toBe('497');
  });
  test.each(FIXED_SETTINGS)('%s', async (sql) => {
    expect(await refusal(sql)).toMatch(/^(452|479)$/);
  });
  test('a setting that names a file, even in the URL of a request', async () => {
    const name = encodeURIComponent(`${path.join(outside, 'secret')}:X`);
    expect(await refusal('SELECT 1 AS a FORMAT Protobuf', `?format_schema=${name}`)).toBe('452');
  });
  test('all of these before a connection is made or a file written', () => {
    expect(connections).toBe(0);
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(existsSync(path.join(folder, 'data', 'shadow'))).toBe(false);
  });
});

describe('the embedded warehouse still accepts', () => {
  test.each([
    "SELECT 'file', 'INTO OUTFILE', '#', '$$' -- file",
    "SELECT a AS `profile`, 1 AS \"files\" FROM own WHERE a = 'file(''x'')'",
    "INSERT INTO own VALUES ('a file # of “quotes”', 1)",
    'SELECT count() FROM own WHERE a = {text:String} /* file */',
    'CREATE DATABASE IF NOT EXISTS another',
    'DROP DATABASE another',
    'ALTER TABLE own DELETE WHERE b = 9',
    'OPTIMIZE TABLE own FINAL',
    'SELECT name FROM system.columns LIMIT 1',
    'TRUNCATE TABLE own',
  ])('%s', async (sql) => {
    const { status, bytes } = await askEngine(embedded, { body: sql, path: '/?param_text=file' });
    expect([status, status === 200 ? '' : bytes.toString()]).toEqual([200, '']);
  });
});
