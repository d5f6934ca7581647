import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { afterEach, beforeEach, expect, test } from '#jest';
import { LEDGER, type TopicDefinition, TRIPLETS } from '#schemas/topics.ts';
import { describeOn } from '../../../../test/helpers/real-servers.ts';
import {
  eventually,
  manyRecords,
  pause,
  type Reader,
  record,
  startReader,
  textOf,
} from '../../harness.contract.ts';
import { partitionOf } from '../../murmur2.ts';
import type { EventLog } from '../../port.ts';
import { type KafkaOptions, openKafkaLog } from '../event-log.ts';
import { createKafkaTopics } from '../topics.ts';

const TIMEOUT_MS = 120_000;
const SESSION_TIMEOUT_MS = 6_000;

describeOn('kafka', 'a group on a real broker', (address) => {
  let options: KafkaOptions;
  let topic: TopicDefinition;
  let log: EventLog;
  const logs: EventLog[] = [];

  async function open(more: Partial<KafkaOptions> = {}): Promise<EventLog> {
    const opened = await openKafkaLog({ ...options, ...more });
    logs.push(opened);
    return opened;
  }

  beforeEach(async () => {
    const name = `group-${randomUUID()}`;
    topic = { ...LEDGER, name };
    options = {
      brokers: address.split(','),
      clientId: name,
      topics: [topic],
      groupPrefix: `${name}.`,
      sessionTimeoutMs: SESSION_TIMEOUT_MS,
      heartbeatIntervalMs: 300,
    };
    await createKafkaTopics(options, 1);
    log = await open();
  }, TIMEOUT_MS);
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((each) => each.close()));
  }, TIMEOUT_MS);

  const owns = (reader: Reader, count: number) => () => reader.owned.size === count;
  const lagOf = async (group: string): Promise<number> =>
    (await log.lag(group, [topic.name])).reduce((sum, { lag }) => sum + lag, 0);

  test(
    'partitions that a rebalance does not move continue undisturbed, and their commits count',
    async () => {
      const aborted = new Set<number>();
      const committed = new Set<number>();
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let commit: (partition: number, next: number) => Promise<void> = () => Promise.resolve();
      const old = await startReader(log, 'group', [topic.name], {
        commits: false,
        onBatch: async ({ partition, nextOffset }, signal) => {
          signal.addEventListener('abort', () => aborted.add(partition));
          await Promise.race([
            released,
            new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
          ]);
          if (signal.aborted) return;
          await commit(partition, nextOffset);
          committed.add(partition);
        },
      });
      commit = (partition, next) => old.consumer.commit(topic.name, partition, next);
      await eventually('all is owned', owns(old, topic.partitions));
      await log.append(manyRecords(topic.name, 200));
      const newcomer = await startReader(log, 'group', [topic.name]);
      await eventually('each owns half', owns(newcomer, topic.partitions / 2));
      await eventually('each owns half', owns(old, topic.partitions / 2));
      release();
      await eventually('the kept ones are committed', () => committed.size === topic.partitions / 2);
      expect(aborted.size).toBe(topic.partitions / 2);
      expect([...committed].filter((partition) => aborted.has(partition))).toEqual([]);
      await eventually('nothing is left', async () => (await lagOf('group')) === 0);
      // No batch was handled twice: each was either finished here or handed over before it started.
      expect(old.records.length + newcomer.records.length).toBe(200);
    },
    TIMEOUT_MS,
  );

  test(
    'a handler that runs for longer than the session keeps its partition and delays no other',
    async () => {
      const slow = partitionOf('slow', topic.partitions);
      const quick = Array.from({ length: 50 }, (_, index) => `quick-${index}`).find(
        (key) => partitionOf(key, topic.partitions) !== slow,
      )!;
      let isSlowDone = false;
      const reader = await startReader(log, 'group', [topic.name], {
        onBatch: async (batch, signal) => {
          if (batch.partition !== slow) return;
          await pause(SESSION_TIMEOUT_MS * 1.5);
          expect(signal.aborted).toBe(false);
          isSlowDone = true;
        },
      });
      await eventually('all is owned', owns(reader, topic.partitions));
      await log.append([record(topic.name, 'slow', 'slow')]);
      for (let count = 0; count < 20; count += 1) {
        await log.append([record(topic.name, quick, `quick ${count}`)]);
        await eventually('the others continue', () =>
          reader.records.some((each) => textOf(each) === `quick ${count}`),
        );
      }
      expect(isSlowDone).toBe(false);
      await eventually('all is committed', async () => (await lagOf('group')) === 0);
      expect(isSlowDone).toBe(true);
      expect(reader.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'moving partitions reach their new owner quickly, no matter how rare its heartbeats are',
    async () => {
      const rare = { sessionTimeoutMs: 600_000, heartbeatIntervalMs: 300_000 };
      const newcomers = await open(rare);
      const first = await startReader(log, 'group', [topic.name]);
      await eventually('all is owned', owns(first, topic.partitions));
      // It joins at once and gets nothing yet. It learns only from a heartbeat that the old owner released its half.
      const second = await startReader(newcomers, 'group', [topic.name]);
      await eventually('each owns half', owns(second, topic.partitions / 2));
    },
    TIMEOUT_MS,
  );

  test(
    'a handler that continues after it lost its partition does not delay other moving partitions',
    async () => {
      const patient = await open({ revocationTimeoutMs: 600_000 });
      let held: number | null = null;
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const first = await startReader(patient, 'group', [topic.name], {
        onBatch: async ({ partition }, signal) => {
          await new Promise<void>((resolve) => {
            void released.then(resolve);
            signal.addEventListener('abort', () => {
              held ??= partition;
              if (held !== partition) resolve();
            });
          });
        },
      });
      try {
        await eventually('all is owned', owns(first, topic.partitions));
        await log.append(manyRecords(topic.name, 200));
        const second = await startReader(log, 'group', [topic.name]);
        await eventually('all but the held one have moved', owns(second, topic.partitions / 2 - 1));
        expect([...second.owned]).not.toContain(`${topic.name}/${held}`);
        release();
        await eventually('the held one moves too', owns(second, topic.partitions / 2));
        await eventually('nothing is left', async () => (await lagOf('group')) === 0);
      } finally {
        release();
      }
    },
    TIMEOUT_MS,
  );

  test(
    'a consumer that stops hands over at once, no matter how long the session is',
    async () => {
      const patient = { sessionTimeoutMs: 600_000, heartbeatIntervalMs: 300 };
      const [one, two] = [await open(patient), await open(patient)];
      const first = await startReader(one, 'group', [topic.name]);
      await eventually('all is owned', owns(first, topic.partitions));
      const second = await startReader(two, 'group', [topic.name]);
      await eventually('each owns half', owns(second, topic.partitions / 2));
      await first.consumer.stop();
      await eventually('the other owns all', owns(second, topic.partitions));
    },
    TIMEOUT_MS,
  );

  test(
    'transaction markers of other writers are not gaps',
    async () => {
      const client = new Kafka({ brokers: address.split(','), logLevel: logLevel.NOTHING });
      const writer = client.producer({
        transactionalId: topic.name,
        idempotent: true,
        maxInFlightRequests: 1,
      });
      await writer.connect();
      for (const [text, end] of [
        ['first', 'commit'],
        ['aborted', 'abort'],
        ['last', 'commit'],
      ] as const) {
        const transaction = await writer.transaction();
        await transaction.send({
          topic: topic.name,
          messages: [{ key: 'k', value: text, partition: partitionOf('k', topic.partitions) }],
        });
        await transaction[end]();
      }
      await writer.disconnect();
      const [own] = await log.append([record(topic.name, 'k', 'own')]);
      // Three records, each followed by a transaction marker.
      expect(own!.offset).toBe(6);
      const reader = await startReader(log, 'group', [topic.name]);
      await eventually('all is read', () => reader.records.some((each) => textOf(each) === 'own'));
      expect(reader.records.map(textOf)).toEqual(['first', 'aborted', 'last', 'own']);
      expect(reader.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a consumer gets large records one at a time, mixed with small ones',
    async () => {
      const value = Buffer.alloc(3_500_000, 'x');
      for (let count = 0; count < 6; count += 1) {
        await log.append([
          { topic: topic.name, key: `large-${count}`, value, headers: { id: `large-${count}` } },
          record(topic.name, `small-${count}`, `small-${count}`),
        ]);
      }
      const reader = await startReader(log, 'group', [topic.name]);
      await eventually('all is read', () => reader.records.length === 12);
      expect(reader.records.filter((each) => each.value.length === value.length)).toHaveLength(6);
      await eventually('all is committed', async () => (await lagOf('group')) === 0);
    },
    TIMEOUT_MS,
  );

  test(
    'missing topics are created with their settings, and differences are reported or refused',
    async () => {
      const missing: TopicDefinition = { ...TRIPLETS, name: `${topic.name}.more` };
      const wanted = { ...options, topics: [topic, missing] };
      await expect(openKafkaLog(wanted)).rejects.toThrow('cas migrate');
      expect(await createKafkaTopics(wanted, -1)).toEqual({
        created: [missing.name],
        existing: [topic.name],
      });
      const warnings: string[] = [];
      const logger = {
        info: () => undefined,
        warn: (fields: object) => void warnings.push(JSON.stringify(fields)),
        error: () => undefined,
      };
      expect((await createKafkaTopics({ ...wanted, logger }, 1)).created).toEqual([]);
      expect(warnings).toEqual([]);
      const longer = { ...missing, retentionMs: missing.retentionMs * 2 };
      await createKafkaTopics({ ...wanted, topics: [topic, longer], logger }, 1);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(`retention.ms=${missing.retentionMs}`);
      const more = { ...wanted, topics: [topic, { ...missing, partitions: 24 }] };
      await expect(createKafkaTopics(more, 1)).rejects.toThrow('has 12 partitions');
      await expect(openKafkaLog(more)).rejects.toThrow('has 12 partitions');
      await expect(
        createKafkaTopics({ ...wanted, topics: [{ ...missing, name: `${missing.name}.x` }] }, 3),
      ).rejects.toThrow('REPLICATION_FACTOR');
    },
    TIMEOUT_MS,
  );
});
