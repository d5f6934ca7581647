/**
 * Speed of the embedded event log: `npm run build && node dist/bench/event-log.js [seconds per scenario]`. Records of 1
 * KB with twelve headers. Open loop: appends are sent by the clock, whether or not earlier ones were answered, and
 * latency is measured from the time at which each was due.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type EmbeddedLog, openEmbeddedLog } from '#platform/event-log/lmdb/event-log.ts';
import type { LogRecord } from '#platform/event-log/port.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';

const seconds = Number(process.argv[2] ?? 5);
const TICK_MS = 1;

const headers = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`header-${index}`, `value-${index}-abcdef`]),
);
let sequence = 0;
const nextRecord = (): LogRecord => {
  sequence += 1;
  return { topic: TRIPLETS.name, key: `audit-${sequence}`, value: Buffer.alloc(1_000, sequence), headers };
};

const quantile = (sorted: readonly number[], share: number): string =>
  `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(2)} ms`;

interface Result {
  readonly scenario: string;
  readonly perSecond: number;
  readonly p50: string;
  readonly p99: string;
  readonly cpuMsPerRecord: string;
}

async function measure(scenario: string, run: (latencies: number[]) => Promise<number>): Promise<Result> {
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const records = await run(latencies);
  const elapsedSeconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  return {
    scenario,
    perSecond: Math.round(records / elapsedSeconds),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpuMsPerRecord: ((user + system) / 1_000 / records).toFixed(4),
  };
}

/** Single appends at a fixed rate. */
const openLoop = (log: EmbeddedLog, perSecond: number) =>
  measure(`single appends, open loop ${perSecond}/s`, async (latencies) => {
    const total = perSecond * seconds;
    const begun = performance.now();
    const answers: Promise<void>[] = [];
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const due = Math.min(total, Math.floor(((performance.now() - begun) * perSecond) / 1_000));
        while (answers.length < due) {
          const dueAt = begun + (answers.length * 1_000) / perSecond;
          answers.push(log.append([nextRecord()]).then(() => void latencies.push(performance.now() - dueAt)));
        }
        if (answers.length < total) return;
        clearInterval(timer);
        resolve();
      }, TICK_MS);
    });
    await Promise.all(answers);
    return total;
  });

/** Keeps `callers` appends of `size` records in flight. */
const closedLoop = (log: EmbeddedLog, callers: number, size: number) =>
  measure(`${callers} callers, ${size} records a call`, async (latencies) => {
    const until = performance.now() + seconds * 1_000;
    let records = 0;
    async function caller(): Promise<void> {
      while (performance.now() < until) {
        const begun = performance.now();
        await log.append(Array.from({ length: size }, nextRecord));
        latencies.push(performance.now() - begun);
        records += size;
      }
    }
    await Promise.all(Array.from({ length: callers }, caller));
    return records;
  });

/** Reads everything that earlier scenarios appended, with a commit per batch. */
const consumeAll = (log: EmbeddedLog) =>
  measure('consumer, commit per batch', async (latencies) => {
    const expected = (await log.lag('bench', [TRIPLETS.name])).reduce((sum, { lag }) => sum + lag, 0);
    let records = 0;
    await new Promise<void>((resolve, reject) => {
      const consuming = log.consume({
        group: 'bench',
        topics: [TRIPLETS.name],
        handlers: {
          async onBatch({ topic, partition, nextOffset, records: batch }) {
            const consumer = await consuming;
            const begun = performance.now();
            await consumer.commit(topic, partition, nextOffset);
            latencies.push(performance.now() - begun);
            records += batch.length;
            if (records >= expected) resolve();
          },
          onStopped: reject,
        },
      });
    });
    return records;
  });

/** From append to handler, with a consumer that keeps up, at a fixed rate. */
const followed = (log: EmbeddedLog, perSecond: number) =>
  measure(`append to handler, ${perSecond}/s`, async (latencies) => {
    let handled = 0;
    const consumer = await log.consume({
      group: 'follower',
      topics: [LEDGER.name],
      handlers: {
        async onBatch({ topic, partition, nextOffset, records }) {
          for (const record of records) latencies.push(performance.now() - Number(record.key));
          handled += records.length;
          await consumer.commit(topic, partition, nextOffset);
        },
      },
    });
    const total = perSecond * seconds;
    const begun = performance.now();
    let sent = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const due = Math.min(total, Math.floor(((performance.now() - begun) * perSecond) / 1_000));
        for (; sent < due; sent += 1) {
          void log.append([{ ...nextRecord(), topic: LEDGER.name, key: `${performance.now()}` }]);
        }
        if (handled < total) return;
        clearInterval(timer);
        resolve();
      }, TICK_MS);
    });
    await consumer.stop();
    return total;
  });

const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-event-log-'));
const log = await openEmbeddedLog({ path: folder, topics: [TRIPLETS, LEDGER] });
try {
  const results = [
    await closedLoop(log, 1, 1),
    await openLoop(log, 1_000),
    await openLoop(log, 5_000),
    await closedLoop(log, 200, 1),
    await closedLoop(log, 4, 100),
    await consumeAll(log),
    await followed(log, 1_500),
  ];
  process.stdout.write(`${os.cpus().length} cores, node ${process.version}, ${seconds} s per scenario\n`);
  for (const result of results) process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await log.close();
  await rm(folder, { recursive: true, force: true });
}
