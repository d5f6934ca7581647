import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '@clickhouse/client';
import type { Admin } from 'kafkajs';
import { compiledModule } from '#platform/config/package-root.ts';
import { PARTITIONS } from '#schemas/topics.ts';
import { lagOf, waitFor } from '../../service/consumer-lag.ts';
import type { Servers } from '../../service/distributed-service.ts';

const TOPIC = 'bench.naive';
const GROUP = 'bench-naive';
const DATABASE = 'bench';
const TABLE = 'bench.naive';
const COLUMNS = `receivedAt DateTime64(3), sandboxSlug LowCardinality(String), provider LowCardinality(String),
  model LowCardinality(String), prompt String, response String`;

interface NaiveProgram {
  readonly pid: number;
  /** The first line of its output. */
  readonly line: string;
  stop(): Promise<void>;
}

async function startProgram(module: string, args: readonly string[]): Promise<NaiveProgram> {
  const child = fork(compiledModule(module), [...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const [first] = (await Promise.race([once(child.stdout ?? child, 'data'), exited])) as [unknown];
  if (!Buffer.isBuffer(first)) throw new Error(`${module} did not start; its messages stand above`);
  return {
    pid: child.pid ?? 0,
    line: first.toString().trim(),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Endpoint, consumer and table. */
export interface NaivePipeline {
  readonly url: string;
  /** Names by process id. */
  readonly processes: ReadonlyMap<number, string>;
  /** Resolves when all accepted audits are stored. */
  untilStored(): Promise<void>;
  countRows(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the naive pipeline with its own topic and table. */
export async function startNaivePipeline(
  admin: Admin,
  { kafka, clickhouse }: Servers,
): Promise<NaivePipeline> {
  // The same number of partitions as the service.
  await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: PARTITIONS }] });
  const warehouse = createClient({ url: clickhouse.address });
  await warehouse.command({ query: `CREATE DATABASE IF NOT EXISTS ${DATABASE}` });
  await warehouse.command({
    query: `CREATE TABLE ${TABLE} (${COLUMNS}) ENGINE = MergeTree ORDER BY (sandboxSlug, receivedAt)`,
  });
  const consumerArguments = [kafka.address, TOPIC, GROUP, clickhouse.address, TABLE];
  const sender = await startProgram('bench/ingest/naive/sender.ts', [kafka.address, TOPIC]);
  const consumer = await startProgram('bench/ingest/naive/consumer.ts', consumerArguments);
  return {
    url: sender.line,
    processes: new Map([
      [sender.pid, 'api'],
      [consumer.pid, 'consumer'],
    ]),
    untilStored: () =>
      waitFor('the naive consumer is done', async () => (await lagOf(admin, GROUP, [TOPIC])) === 0),
    countRows: async () => {
      const query = `SELECT count() AS rows FROM ${TABLE}`;
      const [row] = await (await warehouse.query({ query, format: 'JSONEachRow' })).json<{ rows: string }>();
      return Number(row?.rows);
    },
    stop: async () => {
      await sender.stop();
      await consumer.stop();
      await warehouse.close();
    },
  };
}
