import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { LEDGER } from '#schemas/topics.ts';
import { eventually, record, startReader, textOf } from '../harness.contract.ts';
import { partitionOf } from '../murmur2.ts';
import { openEmbeddedLog } from './event-log.ts';
import { openLogFile, openRecords } from './file.ts';

const PARTITION = partitionOf('k', LEDGER.partitions);
const TOPIC_ID = 7;
const COUNT = 90;
const FLOOR = 20;
const WRITTEN_AT = Date.UTC(2026, 0, 1);
const text = (index: number): string => `old ${index} `.padEnd(500 + 13 * index, '.');

/** A record and its key, byte by byte in format 1. */
function formatOne(offset: number): { readonly key: Buffer; readonly value: Buffer } {
  const headers = Buffer.from(JSON.stringify({ id: text(offset) }));
  const head = Buffer.alloc(15);
  head[0] = 1;
  head.writeUIntBE(WRITTEN_AT + offset, 1, 6);
  head.writeUInt32BE(headers.length, 7);
  head.writeUInt32BE(1, 11);
  const key = Buffer.alloc(12);
  key.writeUInt16BE(TOPIC_ID, 0);
  key.writeUInt16BE(PARTITION, 2);
  key.writeUInt32BE(offset, 8);
  return { key, value: Buffer.concat([head, headers, Buffer.from('k'), Buffer.from(text(offset))]) };
}

describe('a log that an earlier release wrote', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'event-log-format-1-'));
    const root = openLogFile(folder);
    const meta = root.openDB<unknown, (string | number)[]>('meta', { encoding: 'json' });
    const records = openRecords(root);
    await root.batch(() => {
      meta.put(['format'], 1);
      meta.put(['topic', LEDGER.name], { id: TOPIC_ID, partitions: LEDGER.partitions });
      meta.put(['floor', TOPIC_ID, PARTITION], FLOOR);
      meta.put(['commit', 'group', LEDGER.name, PARTITION], FLOOR + 5);
      for (let offset = FLOOR; offset < COUNT; offset += 1) {
        const { key, value } = formatOne(offset);
        records.put(key, value);
      }
    });
    await root.close();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('a log of an earlier release is read, continued and trimmed, also after further starts', async () => {
    const expected = Array.from({ length: COUNT }, (_, index) => text(index));
    let clock = WRITTEN_AT;
    for (let start = 0; start < 3; start += 1) {
      const log = await openEmbeddedLog({ path: folder, topics: [LEDGER], now: () => clock });
      expect(await log.bounds(LEDGER.name, PARTITION)).toEqual({ start: FLOOR, end: expected.length });
      for (let offset = FLOOR; offset < expected.length; offset += 1)
        expect(textOf((await log.read(LEDGER.name, PARTITION, offset))!)).toBe(expected[offset]);
      for (let index = 0; index < 40; index += 1) {
        const added = `new ${start}/${index} `.padEnd(900, '.');
        await log.append([record(LEDGER.name, 'k', added)]);
        expected.push(added);
      }
      await log.close();
    }

    const log = await openEmbeddedLog({ path: folder, topics: [LEDGER], now: () => clock });
    const reader = await startReader(log, 'group', [LEDGER.name]);
    await eventually('all is read', () => reader.records.length === expected.length - FLOOR - 5);
    expect(reader.records.map(textOf)).toEqual(expected.slice(FLOOR + 5));
    expect((await log.read(LEDGER.name, PARTITION, 30))?.timestamp).toBe(WRITTEN_AT + 30);
    clock = WRITTEN_AT + LEDGER.retentionMs + 50;
    // Records of the old format have individual timestamps; those added since all have the initial time.
    expect(await log.runRetention()).toBe(50 - FLOOR);
    clock += COUNT;
    expect(await log.runRetention()).toBe(expected.length - 50);
    expect(await log.bounds(LEDGER.name, PARTITION)).toEqual({
      start: expected.length,
      end: expected.length,
    });
    await log.close();
  });

  test('a log of a later format is refused by name', async () => {
    const root = openLogFile(folder);
    await root.openDB<unknown, string[]>('meta', { encoding: 'json' }).put(['format'], 3);
    await root.close();
    await expect(openEmbeddedLog({ path: folder, topics: [LEDGER] })).rejects.toThrow(
      /has format 3, but this version reads 2; run the version that wrote it/,
    );
  });
});
