import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { type EmbeddedLog, openEmbeddedLog } from '#platform/event-log/lmdb/event-log.ts';
import type { StoredRecord } from '#platform/event-log/port.ts';
import { DEAD_LETTERS, RETRY_1, RETRY_2, TOPICS, TRIPLETS } from '#schemas/topics.ts';
import type { RetryRoute } from './failure/retry-route.ts';
import { runStream, type Stream, topicsWithRetries } from './run-stream.ts';
import { memoryState } from './testing/memory-state.ts';
import { QUIET } from './testing/stream-harness.ts';
import { until } from './testing/until.ts';

const ROUTE: RetryRoute = {
  retries: [
    { topic: RETRY_1.name, delayMs: 20 },
    { topic: RETRY_2.name, delayMs: 60 },
  ],
  deadLetters: DEAD_LETTERS.name,
};

let folder: string;
let log: EmbeddedLog;
const streams: Stream[] = [];
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'cas-stream-'));
  log = await openEmbeddedLog({ path: folder, topics: TOPICS });
});
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.stop()));
  await log.close();
  rmSync(folder, { recursive: true });
});

async function readAll(topic: string): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  for (let partition = 0; partition < 12; partition++) {
    const { start, end } = await log.bounds(topic, partition);
    for (let offset = start; offset < end; offset++) {
      const record = await log.read(topic, partition, offset);
      if (record !== null) found.push(record);
    }
  }
  return found;
}

test('over the embedded log every record ends once: done, or dead-lettered after three attempts', async () => {
  const state = memoryState();
  const attempts = new Map<string, number>();
  const done = new Map<string, number>();
  const stream = await runStream({
    log,
    group: 'analyzer',
    topics: topicsWithRetries([TRIPLETS.name], ROUTE),
    route: ROUTE,
    deathMarks: state.expiring,
    logger: QUIET,
    process: async (batch) =>
      batch.records.map(({ key }) => {
        const attempt = (attempts.get(key) ?? 0) + 1;
        attempts.set(key, attempt);
        const failsUntil = Number(key.split('-')[1]);
        if (attempt <= failsUntil) {
          return {
            kind: 'retry',
            failure: { code: 'ANALYSIS_FAILED', stage: 'detect', errorClass: 'Error' },
          };
        }
        done.set(key, (done.get(key) ?? 0) + 1);
        return { kind: 'ok' };
      }),
  });
  streams.push(stream);
  const sent = Array.from({ length: 400 }, (_, i) => `audit${i}-${i % 20 < 4 ? i % 20 : 0}`);
  await log.append(
    sent.map((key) => ({ topic: TRIPLETS.name, key, value: Buffer.from(key), headers: { attempt: '1' } })),
  );
  const lost = sent.filter((key) => key.endsWith('-3'));
  await until(() => done.size === sent.length - lost.length);
  const waiting = async (): Promise<number> =>
    (await log.lag('analyzer', topicsWithRetries([TRIPLETS.name], ROUTE))).reduce(
      (sum, one) => sum + one.lag,
      0,
    );
  while ((await waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));

  expect((await readAll(DEAD_LETTERS.name)).map((one) => one.key).sort()).toEqual(lost.sort());
  expect([...done.values()].every((times) => times === 1)).toBe(true);
  for (const [key, times] of attempts) {
    expect(times).toBe(Math.min(3, Number(key.split('-')[1]) + 1));
  }
  expect(stream.health().ready).toBe(true);
});
