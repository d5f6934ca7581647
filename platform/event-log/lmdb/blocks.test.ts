import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { TopicDefinition } from '#schemas/topics.ts';
import { eventually, startReader } from '../harness.contract.ts';
import type { LogRecord } from '../port.ts';
import { BLOCK_BYTES } from './block-format.ts';
import { type EmbeddedLog, openEmbeddedLog } from './event-log.ts';

const HOUR_MS = 3_600_000;
const TOPIC: TopicDefinition = {
  name: 'audit.blocks',
  key: 'auditId',
  partitions: 1,
  retentionMs: 10 * HOUR_MS,
  writtenBy: ['api'],
  readBy: ['analyzer'],
};

const record = (id: number, bytes: number): LogRecord => ({
  topic: TOPIC.name,
  key: `key-${id}`,
  value: Buffer.alloc(bytes, id),
  headers: { id: `${id}` },
});

describe('blocks of the embedded event log', () => {
  let folder: string;
  let clock: number;
  let log: EmbeddedLog;
  const open = async (): Promise<void> => {
    log = await openEmbeddedLog({ path: folder, topics: [TOPIC], now: () => clock, batchDelayMs: 1 });
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'event-log-blocks-'));
    clock = Date.UTC(2026, 0, 1);
    await open();
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ['one at a time', 1],
    ['many together', 60],
  ])('records of 1.2 KB that arrive %s take little more than their bytes', async (_, together) => {
    const count = 600;
    const empty = log.usage().usedBytes;
    for (let id = 0; id < count; id += together)
      await log.append(Array.from({ length: together }, (_, index) => record(id + index, 1_200)));
    // With its own key, each would take at least half a page.
    expect((log.usage().usedBytes - empty) / count).toBeLessThan(1.12 * 1_260);
  });

  test('a block is removed from the file once all its records are', async () => {
    for (let id = 0; id < 200; id += 1) await log.append([record(id, 1_200)]);
    clock += 11 * HOUR_MS;
    await log.append([record(200, 10)]);
    expect(await log.runRetention()).toBe(200);
    await log.append([record(201, 10)]);
    expect(log.usage().usedBytes).toBeLessThan(2 * BLOCK_BYTES);
    expect(await log.bounds(TOPIC.name, 0)).toEqual({ start: 200, end: 202 });
  });

  const sizes = fc.array(fc.oneof(fc.nat(300), fc.nat(3_000), fc.nat(2 * BLOCK_BYTES)), {
    minLength: 1,
    maxLength: 12,
  });
  const steps = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ append: sizes }) },
      { weight: 1, arbitrary: fc.constant('reopen' as const) },
      { weight: 2, arbitrary: fc.record({ hours: fc.nat(6) }) },
    ),
    { minLength: 5, maxLength: 30 },
  );

  test('under random appends and deletions, each offset leads to its record, and readers get all of them in order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (run) => {
        await log.close();
        await rm(folder, { recursive: true });
        await open();
        const expected: { readonly at: number; readonly value: Buffer }[] = [];
        let start = 0;
        for (const step of run) {
          if (step === 'reopen') {
            await log.close();
            await open();
          } else if ('append' in step) {
            const records = step.append.map((bytes, index) => record(expected.length + index, bytes));
            // One call each, so they may or may not share a transaction.
            await Promise.all(records.map((each) => log.append([each])));
            for (const { value } of records) expected.push({ at: clock, value });
          } else {
            clock += step.hours * HOUR_MS;
            await log.runRetention();
            const kept = expected.findIndex(({ at }) => at >= clock - TOPIC.retentionMs);
            start = Math.max(start, kept === -1 ? expected.length : kept);
          }
        }
        expect(await log.bounds(TOPIC.name, 0)).toEqual({ start, end: expected.length });
        for (const [offset, { at, value }] of expected.entries()) {
          const read = await log.read(TOPIC.name, 0, offset);
          if (offset < start) expect(read).toBeNull();
          else {
            expect(read).toMatchObject({ offset, timestamp: at, key: `key-${offset}` });
            expect(Buffer.compare(read!.value, value)).toBe(0);
          }
        }
        const reader = await startReader(log, 'checker', [TOPIC.name], { maxRecords: 7 });
        await eventually('all is read', () => reader.records.length >= expected.length - start);
        expect(reader.records.map(({ offset }) => offset)).toEqual(
          expected.slice(start).map((_, index) => start + index),
        );
        expect(reader.errors).toEqual([]);
        await reader.consumer.stop();
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
