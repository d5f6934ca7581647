import { closeSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { open } from 'lmdb';
import { afterEach, beforeEach, expect, test } from '#jest';
import { checkLmdbFile } from './lmdb-file.ts';

/**
 * The damage.test.ts of log and state cover how they handle damage; this one covers how much is read of a large file.
 */

const PAGE_BYTES = 4096;
const RECORDS = 2_000;
const FOUR_LEAVES = 4 * PAGE_BYTES;

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lmdb-file-'));
  file = path.join(folder, 'data.mdb');
  const root = open<Buffer, number>({ path: file, encoding: 'binary', pageSize: PAGE_BYTES });
  const records = root.openDB<Buffer, number>('records', { encoding: 'binary' });
  root.transactionSync(() => {
    for (let key = 0; key < RECORDS; key += 1) records.putSync(key, Buffer.alloc(1_000, `${key} `));
  });
  await root.close();
});
afterEach(() => rm(folder, { recursive: true }));

/** Zeroes the page that holds a record. */
function zeroPageOf(key: number): void {
  const at = readFileSync(file).indexOf(Buffer.alloc(1_000, `${key} `));
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, at - (at % PAGE_BYTES));
  closeSync(opened);
}

test('a file written by the library is intact, however little of it is read', () => {
  for (const maxLeafBytes of [undefined, FOUR_LEAVES, 0])
    expect(() => checkLmdbFile(file, maxLeafBytes)).not.toThrow();
});

test('the oldest leaves of a large file are not read', () => {
  zeroPageOf(10);
  expect(() => checkLmdbFile(file, FOUR_LEAVES)).not.toThrow();
  expect(() => checkLmdbFile(file)).toThrow(/is not the expected tree page/);
});

test('the newest leaves are read first', () => {
  zeroPageOf(RECORDS - 1);
  expect(() => checkLmdbFile(file, FOUR_LEAVES)).toThrow(/is not the expected tree page/);
});

test('a truncated file is detected, however many of its leaves are read', () => {
  truncateSync(file, statSync(file).size - 3 * PAGE_BYTES);
  expect(() => checkLmdbFile(file, 0)).toThrow(/it was truncated/);
});
