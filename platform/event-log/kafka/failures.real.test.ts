import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { LEDGER, type TopicDefinition } from '#schemas/topics.ts';
import { startKafka } from '../../../deploy/local/kafka/kafka.ts';
import type { LocalServer } from '../../../deploy/local/server/local-server.ts';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import {
  eventually,
  manyRecords,
  pause,
  type Reader,
  record,
  startReader,
  textOf,
} from '../harness.contract.ts';
import { partitionOf } from '../murmur2.ts';
import { AppendError, AppendFailure, type EventLog, LogGap, LogUnavailable } from '../port.ts';
import { startTolerantReader } from '../tolerant-reader.contract.ts';
import { type KafkaOptions, openKafkaLog } from './event-log.ts';
import type { PausedConsumerOptions } from './testing/paused-consumer.ts';
import { createKafkaTopics } from './topics.ts';

const TIMEOUT_MS = 180_000;

describeOn('kafka', 'a broker that fails', () => {
  let broker: LocalServer;
  let folder: string;
  let options: KafkaOptions;
  let topic: TopicDefinition;
  const logs: EventLog[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'failing-kafka-'));
    broker = await startKafka({ folder });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await broker?.kill();
    await rm(folder, { recursive: true, force: true });
  }, TIMEOUT_MS);

  beforeEach(async () => {
    const name = `failures-${randomUUID()}`;
    topic = { ...LEDGER, name };
    options = {
      brokers: [broker.address],
      clientId: name,
      topics: [topic],
      groupPrefix: `${name}.`,
      sessionTimeoutMs: 6_000,
      heartbeatIntervalMs: 300,
      appendTimeoutMs: 5_000,
      retryTimeoutMs: 2_000,
    };
    await createKafkaTopics(options, 1);
  }, TIMEOUT_MS);
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
  }, TIMEOUT_MS);

  async function open(more: Partial<KafkaOptions> = {}): Promise<EventLog> {
    const log = await openKafkaLog({ ...options, ...more });
    logs.push(log);
    return log;
  }

  const startTolerant = (log: EventLog, group: string, handled?: Set<string>): Promise<Reader> =>
    startTolerantReader(log, group, topic.name, handled);

  const owns = (reader: Reader, count: number) => () => reader.owned.size === count;
  const admin = async <Result>(work: (admin: ReturnType<Kafka['admin']>) => Promise<Result>) => {
    const client = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING }).admin();
    await client.connect();
    try {
      // Without this call the client does not know the leaders.
      await client.fetchTopicOffsets(topic.name);
      return await work(client);
    } finally {
      await client.disconnect();
    }
  };

  test(
    'when a broker is killed and restarted under load, nothing acknowledged is lost or duplicated, and the consumer continues',
    async () => {
      const log = await open({ appendTimeoutMs: 30_000 });
      const handled = new Set<string>();
      const reader = await startTolerant(log, 'group', handled);
      await eventually('all is owned', owns(reader, topic.partitions));
      const acknowledged = new Set<string>();
      let failed = 0;
      let running = true;
      const append = async (worker: number): Promise<void> => {
        for (let count = 0; running; count += 1) {
          const id = `${worker}:${count}`;
          // Leaves CPU time for the brokers and the readers.
          await pause(5);
          await log.append([record(topic.name, `key-${worker}-${count % 50}`, id)]).then(
            () => acknowledged.add(id),
            () => {
              failed += 1;
            },
          );
        }
      };
      const workers = Array.from({ length: 16 }, (_, worker) => append(worker));
      for (let round = 0; round < 3; round += 1) {
        const before = acknowledged.size;
        await eventually('records are acknowledged', () => acknowledged.size > before + 500);
        await broker.kill();
        await pause(round * 1_500);
        await broker.restart();
      }
      const before = acknowledged.size;
      await eventually('records are acknowledged again', () => acknowledged.size > before + 500);
      running = false;
      await Promise.all(workers);
      await eventually('all is read', () => [...acknowledged].every((id) => handled.has(id)));
      await eventually(
        'all is committed',
        async () => (await log.lag('group', [topic.name])).reduce((sum, { lag }) => sum + lag, 0) === 0,
      );

      const check = await startReader(log, 'check', [topic.name], { commits: false });
      const ends = await log.lag('check', [topic.name]);
      const total = ends.reduce((sum, { lag }) => sum + lag, 0);
      await eventually('the log is read', () => check.records.length >= total);
      const stored = check.records.map(textOf);
      // Retried under one sequence number, each append is stored once, no matter how often the broker died meanwhile.
      expect(new Set(stored).size).toBe(stored.length);
      expect(stored.length).toBe(acknowledged.size + failed);
      expect(reader.errors).toEqual([]);
      expect(reader.consumer.joined).toBe(true);
    },
    TIMEOUT_MS,
  );

  test(
    'when the broker is down for longer than the append time-out, appends fail, say whether they are stored, and work again afterwards',
    async () => {
      const log = await open();
      await log.append([record(topic.name, 'k', 'before')]);
      await broker.kill();
      const outcome = async (id: string) =>
        log.append([record(topic.name, 'k', id)]).then(
          () => 'stored',
          (error: unknown) => (error as AppendError).outcomes[0] as AppendFailure,
        );
      const first = await outcome('first');
      expect(first).toBeInstanceOf(AppendFailure);
      const second = await outcome('second');
      // Nothing could be sent by then, so this record is not in the log.
      expect(second).toMatchObject({ certain: true });
      await expect(log.ping()).rejects.toThrow();
      await expect(log.bounds(topic.name, 0)).rejects.toBeInstanceOf(LogUnavailable);
      await expect(log.read(topic.name, 0, 0)).rejects.toBeInstanceOf(LogUnavailable);
      await expect(log.lag('group', [topic.name])).rejects.toBeInstanceOf(LogUnavailable);
      await expect(openKafkaLog(options)).rejects.toThrow('cannot reach a Kafka broker');
      await broker.restart();
      await log.append([record(topic.name, 'k', 'after')]);
      const reader = await startReader(log, 'group', [topic.name]);
      await eventually('the last is read', () => reader.records.some((each) => textOf(each) === 'after'));
      expect(reader.records.map(textOf)).not.toContain('second');
    },
    TIMEOUT_MS,
  );

  test(
    'when the broker is down for longer than the session, the consumer is not joined meanwhile, and resumes where it was',
    async () => {
      const log = await open();
      const reader = await startTolerant(log, 'group');
      await log.append(manyRecords(topic.name, 100, 'a'));
      await eventually('all is read', () => reader.records.length >= 100);
      await broker.kill();
      await eventually('it is not joined', () => !reader.consumer.joined);
      await expect(reader.consumer.commit(topic.name, 0, 1)).rejects.toThrow();
      await broker.restart();
      await eventually('it is joined', () => reader.consumer.joined);
      await log.append(manyRecords(topic.name, 100, 'b'));
      await eventually('the new ones are read', () => reader.records.length >= 200);
      expect(new Set(reader.records.map(textOf)).size).toBe(200);
      expect(reader.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a consumer started while the broker is down starts when it is up',
    async () => {
      const log = await open();
      await log.append(manyRecords(topic.name, 50));
      await broker.kill();
      const reader = await startTolerant(log, 'group');
      expect(reader.consumer.joined).toBe(false);
      await broker.restart();
      await eventually('all is read', () => reader.records.length >= 50);
      expect(reader.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a stop while the broker is down completes',
    async () => {
      const log = await open();
      const reader = await startTolerant(log, 'group');
      await eventually('all is owned', owns(reader, topic.partitions));
      await broker.kill();
      await log.close();
      expect(reader.owned.size).toBe(0);
      await broker.restart();
    },
    TIMEOUT_MS,
  );

  test(
    'a commit waits for a broker that is down briefly',
    async () => {
      const log = await open({ retryTimeoutMs: 30_000, sessionTimeoutMs: 60_000 });
      const reader = await startReader(log, 'group', [topic.name], { commits: false });
      await eventually('all is owned', owns(reader, topic.partitions));
      await log.append([record(topic.name, 'k', 'v')]);
      await eventually('it is read', () => reader.records.length === 1);
      const { partition, nextOffset } = reader.batches[0]!;
      await broker.kill();
      const committing = reader.consumer.commit(topic.name, partition, nextOffset);
      await broker.restart();
      await committing;
      const lag = await log.lag('group', [topic.name]);
      expect(lag[partition]).toMatchObject({ committed: nextOffset });
    },
    TIMEOUT_MS,
  );

  test(
    'when unread records are deleted, the consumer stops, and the committed offset stays for the next start',
    async () => {
      const log = await open();
      const key = 'k';
      const partition = partitionOf(key, topic.partitions);
      const append = (count: number) =>
        log.append(Array.from({ length: count }, (_, index) => record(topic.name, key, `r${index}`)));
      await append(10);
      const reader = await startReader(log, 'group', [topic.name], { maxRecords: 4 });
      await eventually('all is read', () => reader.records.length >= 10);
      await eventually(
        'all is committed',
        async () => (await log.lag('group', [topic.name]))[partition]!.committed === 10,
      );
      await reader.consumer.stop();
      await append(10);
      await admin((client) =>
        client.deleteTopicRecords({ topic: topic.name, partitions: [{ partition, offset: '15' }] }),
      );
      for (let start = 0; start < 2; start += 1) {
        const next = await startReader(log, 'group', [topic.name]);
        await eventually('it stops', () => next.errors.length > 0);
        expect(next.errors[0]).toBeInstanceOf(LogGap);
        expect(next.errors[0]!.message).toContain('offset 10');
        expect(next.records.filter((each) => each.partition === partition)).toEqual([]);
        await next.consumer.stop();
        const lag = await log.lag('group', [topic.name]);
        expect(lag[partition]).toMatchObject({ committed: 10 });
      }
      expect(await log.read(topic.name, partition, 12)).toBeNull();
      expect(textOf((await log.read(topic.name, partition, 15))!)).toBe('r5');
    },
    TIMEOUT_MS,
  );

  test(
    'seeking back to deleted records stops the consumer',
    async () => {
      const log = await open();
      const partition = partitionOf('k', topic.partitions);
      const append = (count: number) =>
        log.append(Array.from({ length: count }, (_, index) => record(topic.name, 'k', `r${index}`)));
      const reader = await startReader(log, 'group', [topic.name]);
      for (const count of [5, 10]) {
        await append(5);
        await eventually('all is read', () => reader.records.length === count);
      }
      reader.consumer.pause(topic.name, partition);
      await admin((client) =>
        client.deleteTopicRecords({ topic: topic.name, partitions: [{ partition, offset: '8' }] }),
      );
      reader.consumer.seek(topic.name, partition, 1);
      reader.consumer.resume(topic.name, partition);
      await eventually('it stops', () => reader.errors.length > 0);
      expect(reader.errors[0]).toBeInstanceOf(LogGap);
      expect(reader.consumer.joined).toBe(false);
      await eventually('all is released', () => reader.owned.size === 0);
    },
    TIMEOUT_MS,
  );

  test(
    'when a topic is deleted and recreated, consumers stop and appends and reads are refused',
    async () => {
      const log = await open();
      await log.append(manyRecords(topic.name, 100));
      const reader = await startReader(log, 'group', [topic.name]);
      await eventually('all is read', () => reader.records.length >= 100);
      await admin((client) => client.deleteTopics({ topics: [topic.name] }));
      await eventually('it can be created again', () =>
        createKafkaTopics(options, 1).then(
          ({ created }) => created.length === 1,
          () => false,
        ),
      );
      await eventually('it stops', () => reader.errors.length > 0);
      expect(reader.errors[0]!.message).toContain('created again');
      expect(reader.errors).toHaveLength(1);
      await expect(log.ping()).rejects.toThrow('created again');
      await expect(log.bounds(topic.name, 0)).rejects.toThrow('created again');
      const refused = await log.append([record(topic.name, 'k', 'v')]).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(AppendError);
      expect((refused as AppendError).outcomes[0]).toMatchObject({ certain: true });
      const fresh = await open();
      for (const { end } of await fresh.lag('group', [topic.name])) expect(end).toBe(0);
    },
    TIMEOUT_MS,
  );

  test(
    'when a paused process resumes after its session, its commit is refused and changes nothing',
    async () => {
      const log = await open();
      await log.append(manyRecords(topic.name, 200));
      const zombie: PausedConsumerOptions = { log: options, group: 'group', topic: topic.name };
      const child = spawn(
        process.execPath,
        [compiledModule('platform/event-log/kafka/testing/paused-consumer.ts'), JSON.stringify(zombie)],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      );
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
      try {
        await eventually('it holds batches', () => printed.includes('holding'));
        child.kill('SIGSTOP');
        const reader = await startReader(log, 'group', [topic.name]);
        await eventually('the other has all', owns(reader, topic.partitions));
        await eventually('the other reads all', () => reader.records.length >= 200);
        await eventually('all is committed', async () =>
          (await log.lag('group', [topic.name])).every(({ lag }) => lag === 0),
        );
        const before = await log.lag('group', [topic.name]);
        child.kill('SIGCONT');
        await eventually('it was refused', () => printed.includes('StalePartition'));
        expect(printed).not.toContain('committed');
        expect(await log.lag('group', [topic.name])).toEqual(before);
        expect(reader.errors).toEqual([]);
      } finally {
        child.kill('SIGKILL');
        await once(child, 'close');
      }
    },
    TIMEOUT_MS,
  );
});
