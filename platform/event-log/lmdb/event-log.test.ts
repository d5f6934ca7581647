import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { LEDGER, MAX_RECORD_BYTES, type TopicDefinition, TRIPLETS } from '#schemas/topics.ts';
import { eventually, manyRecords, record, startReader, textOf } from '../harness.contract.ts';
import { partitionOf } from '../murmur2.ts';
import { type Consumer, LogGap } from '../port.ts';
import { type EmbeddedLog, type EmbeddedLogOptions, openEmbeddedLog } from './event-log.ts';

const DAY_MS = 86_400_000;
const TOPIC = TRIPLETS.name;
const PARTITION = partitionOf('k', TRIPLETS.partitions);

describe('embedded event log', () => {
  let folder: string;
  let clock: number;
  let log: EmbeddedLog;
  const warnings: string[] = [];

  const open = async (options: Partial<EmbeddedLogOptions> = {}): Promise<EmbeddedLog> => {
    log = await openEmbeddedLog({
      path: folder,
      topics: [TRIPLETS, LEDGER],
      now: () => clock,
      logger: { warn: (_, message) => warnings.push(message), error: (_, message) => warnings.push(message) },
      ...options,
    });
    return log;
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'event-log-'));
    clock = Date.UTC(2026, 0, 1);
    warnings.length = 0;
    await open();
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('offsets have no gaps, and timestamps come from the given clock', async () => {
    const calls = await Promise.all(['a', 'b', 'c'].map((text) => log.append([record(TOPIC, 'k', text)])));
    expect(calls.flat()).toEqual(
      [0, 1, 2].map((offset) => ({ partition: PARTITION, offset, timestamp: clock })),
    );
    expect((await log.read(TOPIC, PARTITION, 2))?.timestamp).toBe(clock);
    expect(await readdir(folder)).toContain('log.mdb');
  });

  test('handlers are first called after consume has resolved', async () => {
    await log.append([record(TOPIC, 'k', 'v')]);
    const done = new Promise<void>((resolve, reject) => {
      const consuming: Promise<Consumer> = log.consume({
        group: 'group',
        topics: [TOPIC],
        handlers: {
          onBatch: async (batch) => {
            // Throws when `consumer` is not set yet.
            await consumer.commit(batch.topic, batch.partition, batch.nextOffset);
            resolve();
          },
          onStopped: reject,
        },
      });
      let consumer: Consumer;
      void consuming.then((started) => {
        consumer = started;
      });
    });
    await done;
  });

  test('a batch ends before 4 MiB', async () => {
    const value = Buffer.alloc(1024 * 1024);
    await log.append(Array.from({ length: 9 }, () => ({ topic: TOPIC, key: 'k', value, headers: {} })));
    const reader = await startReader(log, 'group', [TOPIC]);
    await eventually('all is read', () => reader.records.length === 9);
    expect(reader.batches.map((batch) => batch.records.length)).toEqual([3, 3, 3]);
  });

  test.each([
    [384, 8_192],
    [500, 4_096],
    [2_000, 1_500],
  ])('stores all of %i records of %i bytes in one call', async (count, bytes) => {
    const records = Array.from({ length: count }, (_, index) => ({
      ...record(TOPIC, `key-${index % 31}`, ''),
      value: Buffer.alloc(bytes, index),
    }));
    const appended = await log.append(records);
    for (const [index, { partition, offset }] of appended.entries()) {
      const stored = await log.read(TOPIC, partition, offset);
      expect(Buffer.compare(stored!.value, records[index]!.value)).toBe(0);
    }
  });

  describe('retention', () => {
    test('deletes only records that are older than the topic’s retention', async () => {
      await log.append([...manyRecords(TOPIC, 3_000, 'old'), ...manyRecords(LEDGER.name, 10, 'ledger')]);
      clock += 3 * DAY_MS;
      await log.append(manyRecords(TOPIC, 97, 'mid'));
      clock += 5 * DAY_MS;
      await log.append(manyRecords(LEDGER.name, 10, 'fresh'));
      expect(await log.runRetention()).toBe(3_010);
      const reader = await startReader(log, 'group', [TOPIC, LEDGER.name]);
      await eventually('the rest is read', () => reader.records.length >= 107);
      const kept = reader.records.map(textOf);
      expect(kept.filter((text) => text.startsWith('mid'))).toHaveLength(97);
      expect(kept.filter((text) => text.startsWith('fresh'))).toHaveLength(10);
      expect(kept).toHaveLength(107);
      expect(await log.runRetention()).toBe(0);
    });

    test('skips records larger than one step may read', async () => {
      const value = Buffer.alloc(MAX_RECORD_BYTES - 9_000);
      // Newlines take twice their size in the stored headers, so this record exceeds 4 MiB in storage.
      const headers = { lines: '\n'.repeat(8_500) };
      for (let count = 0; count < 3; count += 1)
        await log.append([{ topic: TOPIC, key: 'k', value, headers }]);
      clock += 8 * DAY_MS;
      expect(await log.runRetention()).toBe(3);
    });

    test('an emptied partition continues its offsets, also after a restart', async () => {
      await log.append(Array.from({ length: 5 }, () => record(TOPIC, 'k', 'old')));
      clock += 8 * DAY_MS;
      expect(await log.runRetention()).toBe(5);
      expect(await log.bounds(TOPIC, PARTITION)).toEqual({ start: 5, end: 5 });
      expect(await log.read(TOPIC, PARTITION, 4)).toBeNull();
      await log.close();
      await open();
      expect(await log.bounds(TOPIC, PARTITION)).toEqual({ start: 5, end: 5 });
      const [next] = await log.append([record(TOPIC, 'k', 'new')]);
      expect(next!.offset).toBe(5);
    });

    test('a group whose committed offset was deleted stops with an error, and its offset stays', async () => {
      await log.append([record(TOPIC, 'k', '0'), record(TOPIC, 'k', '1')]);
      const first = await startReader(log, 'group', [TOPIC], { maxRecords: 1 });
      await eventually('the first batch is done', () => first.batches.length >= 1);
      await first.consumer.stop();
      await log.append([record(TOPIC, 'k', '2')]);
      clock += 8 * DAY_MS;
      await log.append([record(TOPIC, 'k', '3')]);
      await log.runRetention();
      const committed = first.batches.at(-1)!.nextOffset;
      const second = await startReader(log, 'group', [TOPIC]);
      await eventually('the consumer stops', () => second.errors.length > 0);
      expect(second.errors[0]).toBeInstanceOf(LogGap);
      expect(second.errors[0]!.message).toContain(`offset ${committed} should be there`);
      expect(second.records).toEqual([]);
      const lag = (await log.lag('group', [TOPIC])).find(({ partition }) => partition === PARTITION);
      expect(lag).toMatchObject({ committed, end: 4 });
    });

    test('a running consumer whose records are deleted stops with an error instead of skipping', async () => {
      const reader = await startReader(log, 'group', [TOPIC]);
      await eventually('all is owned', () => reader.owned.size === TRIPLETS.partitions);
      reader.consumer.pause(TOPIC, PARTITION);
      await log.append([record(TOPIC, 'k', '0')]);
      clock += 8 * DAY_MS;
      await log.append([record(TOPIC, 'k', '1')]);
      expect(await log.runRetention()).toBe(1);
      reader.consumer.resume(TOPIC, PARTITION);
      await eventually('the consumer stops', () => reader.errors.length > 0);
      expect(reader.errors[0]).toBeInstanceOf(LogGap);
      expect(reader.records).toEqual([]);
    });

    test('retention runs by itself', async () => {
      await log.append([record(TOPIC, 'k', 'old')]);
      await log.close();
      clock += 8 * DAY_MS;
      await open({ retentionIntervalMs: 5 });
      await eventually('the record is deleted', async () => (await log.bounds(TOPIC, PARTITION)).start === 1);
    });
  });

  test('refuses to open a topic that was created with a different partition count', async () => {
    await log.close();
    const changed: TopicDefinition = { ...LEDGER, partitions: 24 };
    await expect(open({ topics: [TRIPLETS, changed] })).rejects.toThrow(
      /"audit\.ledger" was created with 12 partitions but is now defined with 24/,
    );
    await open();
    expect(await log.append([record(LEDGER.name, 'k', 'v')])).toHaveLength(1);
  });

  test('a topic that is defined later is added, and the records of others stay', async () => {
    await log.append([record(TOPIC, 'k', 'v')]);
    await log.close();
    const added: TopicDefinition = { ...LEDGER, name: 'audit.added', partitions: 3 };
    await open({ topics: [added, LEDGER, TRIPLETS] });
    const [appended] = await log.append([record('audit.added', 'k', 'other')]);
    expect(textOf((await log.read('audit.added', appended!.partition, 0))!)).toBe('other');
    expect(textOf((await log.read(TOPIC, PARTITION, 0))!)).toBe('v');
  });

  test('an offset from before the log was recreated is refused with advice what to do', async () => {
    const reader = await startReader(log, 'sink', [TOPIC], {
      onAssigned: ({ partition }) => (partition === PARTITION ? 1_234 : undefined),
    });
    await eventually('the consumer stops', () => reader.errors.length > 0);
    expect(reader.errors[0]).toBeInstanceOf(LogGap);
    expect(reader.errors[0]!.message).toContain('--new-epoch');
  });

  test('a handler that ignores its signal is overtaken, and its commit is refused', async () => {
    await log.close();
    await open({ revocationTimeoutMs: 20 });
    await log.append(manyRecords(TOPIC, 200));
    let wake: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let started = 0;
    const zombie = await startReader(log, 'group', [TOPIC], {
      onBatch: () => {
        started += 1;
        return asleep;
      },
    });
    await eventually('all partitions have a batch in progress', () => started === TRIPLETS.partitions);
    const heir = await startReader(log, 'group', [TOPIC]);
    await eventually('half has moved', () => heir.owned.size === TRIPLETS.partitions / 2);
    expect(warnings.filter((warning) => warning.includes('still running'))).toHaveLength(
      TRIPLETS.partitions / 2,
    );
    const moved = [...heir.owned].map((name) => Number(name.split('/').at(-1)));
    await expect(zombie.consumer.commit(TOPIC, moved[0]!, 1)).rejects.toThrow('belongs to another consumer');
    wake();
    await eventually('the group is done', async () =>
      (await log.lag('group', [TOPIC])).every(({ lag }) => lag === 0),
    );
    expect([...zombie.errors, ...heir.errors]).toEqual([]);
  });

  test('a committed offset survives a restart without any append', async () => {
    await log.append([record(TOPIC, 'k', 'v')]);
    const reader = await startReader(log, 'group', [TOPIC], { commits: false });
    await eventually('all is owned', () => reader.owned.size === TRIPLETS.partitions);
    await reader.consumer.commit(TOPIC, PARTITION, 1);
    await expect(reader.consumer.commit(TOPIC, PARTITION, -1)).rejects.toThrow(RangeError);
    await log.close();
    await open();
    const lag = (await log.lag('group', [TOPIC])).find(({ partition }) => partition === PARTITION);
    expect(lag).toMatchObject({ committed: 1, end: 1, lag: 0 });
  });
});
