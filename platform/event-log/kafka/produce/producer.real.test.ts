import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '#jest';
import { LEDGER } from '#schemas/topics.ts';
import { describeOn } from '../../../../test/helpers/real-servers.ts';
import { eventually } from '../../harness.contract.ts';
import { partitionOf } from '../../murmur2.ts';
import { type AppendError, type Appended, AppendFailure, type EventLog } from '../../port.ts';
import type { KafkaCluster } from '../connection/cluster.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { connectTo, type KafkaOptions, openKafkaLog } from '../event-log.ts';
import { ConnectionLost } from '../protocol/errors.ts';
import { createKafkaTopics } from '../topics.ts';
import { createKafkaProducer, type KafkaProducer } from './producer.ts';

const TIMEOUT_MS = 60_000;

describeOn('kafka', 'a real broker whose answers are lost', (address) => {
  let options: KafkaOptions;
  let topic: string;
  let cluster: KafkaCluster;
  let log: EventLog;
  /** How many of the next produce requests reach the broker but lose their answer. */
  let lost: number;
  let producer: KafkaProducer;

  beforeEach(async () => {
    topic = `producer-${randomUUID()}`;
    options = { brokers: address.split(','), clientId: topic, topics: [{ ...LEDGER, name: topic }] };
    await createKafkaTopics(options, 1);
    log = await openKafkaLog(options);
    cluster = connectTo(options);
    await cluster.refresh();
    const real = cluster.pool();
    const lossy: ConnectionPool = {
      ...real,
      request: async (node, name, payload, waitMs) => {
        const answer = await real.request(node, name, payload, waitMs);
        if (name !== 'Produce' || lost === 0) return answer;
        lost -= 1;
        throw new ConnectionLost('cut');
      },
    };
    producer = createKafkaProducer({
      cluster,
      pool: lossy,
      partitions: () => LEDGER.partitions,
      timeoutMs: 1_000,
      requestTimeoutMs: 5_000,
      batchDelayMs: 5,
      limits: { records: 500, bytes: 3 * 1024 * 1024 },
      maxWaitingBytes: 64 * 1024 * 1024,
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    // It may take a moment until a new partition has a leader that knows it.
    lost = 0;
    await eventually('the topic takes records', async () => 'offset' in (await append('first'))[0]!);
  }, TIMEOUT_MS);
  afterEach(async () => {
    cluster.close();
    await log.close();
  });

  const append = (...texts: string[]): Promise<readonly (Appended | AppendFailure)[]> =>
    producer
      .append(texts.map((text) => ({ topic, key: 'k', value: Buffer.from(text), headers: {} })))
      .catch((error: AppendError) => error.outcomes);

  async function stored(): Promise<string[]> {
    const partition = partitionOf('k', LEDGER.partitions);
    const { start, end } = await log.bounds(topic, partition);
    const texts: string[] = [];
    for (let offset = start; offset < end; offset += 1) {
      texts.push((await log.read(topic, partition, offset))!.value.toString());
    }
    return texts;
  }

  test(
    'a batch that is sent again is stored once, and keeps the offsets of the first time',
    async () => {
      lost = 2;
      const outcomes = (await append('a', 'b', 'c')) as Appended[];
      const [next] = (await append('d')) as Appended[];
      expect(lost).toBe(0);
      expect(await stored()).toEqual(['first', 'a', 'b', 'c', 'd']);
      expect([...outcomes, next!].map(({ offset }) => offset)).toEqual([1, 2, 3, 4]);
    },
    TIMEOUT_MS,
  );

  test(
    'when answers are lost, appends fail as uncertain and are stored once, and the producer recovers by itself',
    async () => {
      lost = Number.POSITIVE_INFINITY;
      const [outcome] = await append('a');
      expect(outcome).toBeInstanceOf(AppendFailure);
      expect(outcome).toMatchObject({ certain: false });
      lost = 0;
      const [next] = await append('b');
      expect(next).toMatchObject({ offset: 2 });
      lost = 1;
      await append('c');
      expect(await stored()).toEqual(['first', 'a', 'b', 'c']);
    },
    TIMEOUT_MS,
  );
});
