import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '#jest';
import { LEDGER, MAX_RECORD_BYTES, type TopicDefinition } from '#schemas/topics.ts';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { eventually, record, startReader, textOf } from '../harness.contract.ts';
import { partitionOf } from '../murmur2.ts';
import type { EventLog } from '../port.ts';
import type { KafkaCluster } from './connection/cluster.ts';
import { connectTo, type KafkaOptions, openKafkaLog } from './event-log.ts';
import { createKafkaTopics } from './topics.ts';

const TIMEOUT_MS = 60_000;
const DAY_MS = 86_400_000;
const TOPIC_RESOURCE = 2;
const BROKER_RESOURCE = 4;

describeOn('kafka', 'settings of topics on a real broker', (address) => {
  const admin = new Kafka({ brokers: address.split(','), logLevel: logLevel.NOTHING }).admin();
  let topic: TopicDefinition;
  let options: KafkaOptions;
  let warnings: string[];
  const logs: EventLog[] = [];

  beforeAll(() => admin.connect(), TIMEOUT_MS);
  afterAll(() => admin.disconnect(), TIMEOUT_MS);
  beforeEach(() => {
    const name = `settings-${randomUUID()}`;
    topic = { ...LEDGER, name };
    warnings = [];
    options = {
      brokers: address.split(','),
      clientId: name,
      topics: [topic],
      groupPrefix: `${name}.`,
      logger: {
        info: () => undefined,
        warn: (fields) => void warnings.push(JSON.stringify(fields)),
        error: () => undefined,
      },
    };
  });
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
  }, TIMEOUT_MS);

  async function open(more: Partial<KafkaOptions> = {}): Promise<EventLog> {
    const log = await openKafkaLog({ ...options, ...more });
    logs.push(log);
    return log;
  }

  /** The topic as `cas migrate` creates it, except for the given settings; null leaves a setting to the brokers. */
  async function create(settings: Readonly<Record<string, string | null>>): Promise<void> {
    const all = {
      'cleanup.policy': 'delete',
      'retention.ms': `${topic.retentionMs}`,
      'retention.bytes': '-1',
      'segment.ms': `${DAY_MS}`,
      'max.message.bytes': `${MAX_RECORD_BYTES}`,
      'compression.type': 'uncompressed',
      'message.timestamp.type': 'LogAppendTime',
      ...settings,
    };
    const configEntries = Object.entries(all).flatMap(([name, value]) =>
      value === null ? [] : [{ name, value }],
    );
    const { name, partitions } = topic;
    await admin.createTopics({
      waitForLeaders: false,
      topics: [{ topic: name, numPartitions: partitions, replicationFactor: 1, configEntries }],
    });
    const cluster = connectTo(options);
    await eventually('every partition has a leader', async () => {
      await cluster.refresh();
      return cluster.partitionCount(name) === partitions && hasLeaders(cluster);
    });
    cluster.close();
  }

  function hasLeaders(cluster: KafkaCluster): boolean {
    try {
      for (let partition = 0; partition < topic.partitions; partition += 1)
        cluster.leader(topic.name, partition);
      return true;
    } catch {
      return false;
    }
  }

  const refusal = (start: Promise<unknown>): Promise<string> =>
    start.then(
      () => 'it was accepted',
      (error: Error) => error.message,
    );

  const compress = (codec: string): Promise<unknown> =>
    admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: TOPIC_RESOURCE,
          name: topic.name,
          configEntries: [{ name: 'compression.type', value: codec }],
        },
      ],
    });

  const BREAKING: readonly [string, string, string][] = [
    ['compression.type', 'zstd', 'uncompressed'],
    ['compression.type', 'snappy', 'uncompressed'],
    ['compression.type', 'lz4', 'uncompressed'],
    ['cleanup.policy', 'compact', 'delete'],
    ['cleanup.policy', 'compact,delete', 'delete'],
    ['max.message.bytes', '1048588', `${MAX_RECORD_BYTES}`],
    ['message.timestamp.type', 'CreateTime', 'LogAppendTime'],
    ['unclean.leader.election.enable', 'true', 'false'],
  ];
  for (const [name, value, wanted] of BREAKING) {
    test(
      `${name}=${value} is refused by "cas migrate" and at the start of every role, with what to set`,
      async () => {
        await create({ [name]: value });
        for (const start of [() => createKafkaTopics(options, 1), open]) {
          const message = await refusal(start());
          expect(message).toContain(`"${topic.name}" has ${name}=${value}`);
          expect(message).toContain(`${name}=${wanted}`);
        }
      },
      TIMEOUT_MS,
    );
  }

  test(
    'the brokers’ default counts where a topic has no setting',
    async () => {
      await create({ 'compression.type': null });
      await open();
      expect(warnings.join('\n')).toContain('compression.type=producer');
      const brokers = (compression: string | null) =>
        admin.alterConfigs({
          validateOnly: false,
          resources: [
            {
              type: BROKER_RESOURCE,
              name: '1',
              configEntries: compression === null ? [] : [{ name: 'compression.type', value: compression }],
            },
          ],
        });
      await brokers('lz4');
      try {
        await eventually('it is refused', async () =>
          (await refusal(createKafkaTopics(options, 1))).includes(`"${topic.name}" has compression.type=lz4`),
        );
      } finally {
        await brokers(null);
      }
    },
    TIMEOUT_MS,
  );

  test(
    'fewer replicas than production requires are refused, as are more acknowledging replicas than there are',
    async () => {
      await create({ 'min.insync.replicas': '1' });
      expect((await createKafkaTopics(options, 1)).existing).toEqual([topic.name]);
      await open();
      expect(warnings).toEqual([]);
      const production = { ...options, replicationFactor: 3 };
      for (const start of [() => createKafkaTopics(production, 3), () => open(production)])
        expect(await refusal(start())).toContain(`"${topic.name}" has 1 replica`);
      await admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: TOPIC_RESOURCE,
            name: topic.name,
            configEntries: [
              { name: 'min.insync.replicas', value: '2' },
              { name: 'message.timestamp.type', value: 'LogAppendTime' },
              { name: 'max.message.bytes', value: `${MAX_RECORD_BYTES}` },
            ],
          },
        ],
      });
      // A broker applies a new setting after a moment.
      await eventually('it is refused', async () =>
        (await refusal(open())).includes('min.insync.replicas=2'),
      );
    },
    TIMEOUT_MS,
  );

  test(
    'a setting that only weakens a guarantee is a warning: shorter retention, a size limit, a readable codec',
    async () => {
      await create({ 'retention.ms': `${DAY_MS}`, 'retention.bytes': '1000000', 'compression.type': 'gzip' });
      const log = await open();
      expect(warnings).toHaveLength(3);
      for (const setting of [`retention.ms=${DAY_MS}`, 'retention.bytes=1000000', 'compression.type=gzip'])
        expect(warnings.join('\n')).toContain(setting);
      await log.append([record(topic.name, 'k', 'v')]);
      const reader = await startReader(log, 'group', [topic.name]);
      await eventually('it is read', () => reader.records.map(textOf).includes('v'));
    },
    TIMEOUT_MS,
  );

  test(
    'a batch of an unsupported codec in the log: earlier records are read, and the error names codec and offset',
    async () => {
      await create({});
      const log = await open();
      const key = 'k';
      const partition = partitionOf(key, topic.partitions);
      await log.append([record(topic.name, key, 'a')]);
      await log.append([record(topic.name, key, 'b')]);
      await compress('zstd');
      const last = await eventuallyStored(log, key);
      await compress('uncompressed');
      const reader = await startReader(log, 'group', [topic.name]);
      await eventually('it stops', () => reader.errors.length > 0);
      expect(reader.records.map(textOf).slice(0, 2)).toEqual(['a', 'b']);
      expect(reader.errors[0]!.message).toContain(
        `${topic.name}/${partition}: cannot read offsets ${last} to ${last}`,
      );
      expect(reader.errors[0]!.message).toContain('zstd');
      await expect(log.read(topic.name, partition, last)).rejects.toThrow('zstd');
      expect(textOf((await log.read(topic.name, partition, 1))!)).toBe('b');
    },
    TIMEOUT_MS,
  );

  /** Appends until a record is stored compressed (brokers apply a new setting after a moment). Returns its offset. */
  async function eventuallyStored(log: EventLog, key: string): Promise<number> {
    let offset = -1;
    await eventually('a batch is stored compressed', async () => {
      const [appended] = await log.append([record(topic.name, key, 'c'.repeat(1_000))]);
      offset = appended!.offset;
      return log.read(topic.name, appended!.partition, offset).then(
        () => false,
        () => true,
      );
    });
    return offset;
  }
});
