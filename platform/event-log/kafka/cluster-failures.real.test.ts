import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { LEDGER, type TopicDefinition } from '#schemas/topics.ts';
import { makeCertificates } from '../../../deploy/local/kafka/certificates.ts';
import { startTestCluster, type TestCluster } from '../../../test/helpers/kafka-cluster.ts';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { appendContract } from '../append.contract.ts';
import { crashContract } from '../crash.contract.ts';
import { groupContract } from '../group.contract.ts';
import { eventually, pause, record, startReader, textOf } from '../harness.contract.ts';
import { partitionOf } from '../murmur2.ts';
import { AppendError, type EventLog, LogUnavailable } from '../port.ts';
import { startTolerantReader } from '../tolerant-reader.contract.ts';
import { type KafkaOptions, openKafkaLog } from './event-log.ts';
import { beginOnKafka } from './testing/contract-harness.ts';
import { createKafkaTopics } from './topics.ts';

const TIMEOUT_MS = 180_000;
const COPIES = 3;
/** Concurrent appends per key. */
const IN_FLIGHT = 8;

describeOn('kafka', 'three brokers with TLS and SCRAM', () => {
  let cluster: TestCluster;
  let options: KafkaOptions;
  let topic: TopicDefinition;
  const logs: EventLog[] = [];

  beforeAll(async () => {
    cluster = await startTestCluster({ brokers: 3, tls: true });
  }, TIMEOUT_MS);
  afterAll(() => cluster?.stop(), TIMEOUT_MS);

  beforeEach(async () => {
    const name = `cluster-${randomUUID()}`;
    topic = { ...LEDGER, name };
    options = {
      brokers: cluster.addresses,
      ...structuredClone(cluster.access),
      clientId: name,
      topics: [topic],
      groupPrefix: `${name}.`,
      sessionTimeoutMs: 6_000,
      heartbeatIntervalMs: 300,
      connectTimeoutMs: 2_000,
      retryTimeoutMs: 2_000,
      appendTimeoutMs: 2_000,
    };
    await createKafkaTopics(options, COPIES);
  }, TIMEOUT_MS);
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
  }, TIMEOUT_MS);

  async function open(more: Partial<KafkaOptions> = {}): Promise<EventLog> {
    const log = await openKafkaLog({ ...options, ...more });
    logs.push(log);
    return log;
  }

  /**
   * The parts of the contract that depend on connections; kafka.real.test.ts runs all of it on one plaintext broker.
   */
  describe('the contract', () => {
    const begin = () => beginOnKafka({ brokers: cluster.addresses, ...cluster.access }, COPIES);
    appendContract(begin);
    groupContract(begin);
    crashContract(begin);
  });

  /** A certificate authority that did not sign any broker's certificate. */
  async function otherAuthority(): Promise<string> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'other-authority-'));
    try {
      return readFileSync((await makeCertificates(folder, 'of-no-broker')).authority, 'utf8');
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  test(
    'a client with a wrong password, an unknown authority or a plaintext connection is told what to check',
    async () => {
      const refusal = (more: Partial<KafkaOptions>): Promise<string> =>
        open({ retryTimeoutMs: 500, ...more }).then(
          () => 'it was opened',
          (error: Error) => error.message,
        );
      const password = 'a-wrong-password';
      const wrong = await refusal({ sasl: { ...cluster.access.sasl, password } });
      expect(wrong).toContain('rejected the login of "cas" (scram-sha-512)');
      expect(wrong).not.toContain(password);
      const stranger = await refusal({ sasl: { ...cluster.access.sasl, username: 'stranger' } });
      expect(stranger).toContain('rejected the login of "stranger"');
      expect(await refusal({ ssl: { ca: await otherAuthority() } })).toContain(
        'has an untrusted certificate',
      );
      const { ssl: _, ...inClear } = options;
      const clear = openKafkaLog({ ...inClear, retryTimeoutMs: 500 });
      await expect(clear).rejects.toThrow('It may expect TLS');
    },
    TIMEOUT_MS,
  );

  for (const [what, changed] of [
    ['password', async () => ({ sasl: { password: 'replaced' } })],
    ['certificate', async () => ({ ssl: { ca: await otherAuthority() } })],
  ] as const) {
    test(
      `a ${what} that is refused while the log is open counts as an outage: nothing stops, and all work resumes once it is accepted`,
      async () => {
        const warnings: string[] = [];
        const logger = {
          info: () => undefined,
          warn: (fields: object) => void warnings.push(JSON.stringify(fields)),
          error: (fields: object) => void warnings.push(JSON.stringify(fields)),
        };
        const access = structuredClone(cluster.access);
        const log = await open({ ...access, logger });
        // Each kind of work connects when it starts, from now on with credentials that are refused.
        const replace = (by: object): void => {
          for (const [name, values] of Object.entries(by))
            Object.assign(access[name as keyof typeof access], values);
        };
        replace(await changed());
        const appending = log.append([record(topic.name, 'k', 'refused')]);
        const refusal = (await appending.catch((error: unknown) => error)) as AppendError;
        expect(refusal).toBeInstanceOf(AppendError);
        expect(refusal.outcomes[0]).toMatchObject({ certain: true });
        await expect(log.lag('group', [topic.name])).rejects.toBeInstanceOf(LogUnavailable);
        const reader = await startTolerantReader(log, 'group', topic.name);
        await eventually('it is logged', () => warnings.length > 0);
        expect(reader.consumer.joined).toBe(false);
        // Once per broker, regardless of the number of attempts.
        expect(warnings.length).toBeLessThanOrEqual(cluster.brokers.length);

        replace(cluster.access);
        await log.append([record(topic.name, 'k', 'accepted')]);
        await eventually('it is read', () => reader.records.length > 0);
        expect(reader.records.map(textOf)).toEqual(['accepted']);
        expect(reader.errors).toEqual([]);
      },
      TIMEOUT_MS,
    );
  }

  /** Many keys, each with several ordered appends in flight; none may fail. */
  function startAppending(log: EventLog) {
    const acknowledged = new Map<string, number>();
    const perPartition = new Array<number>(topic.partitions).fill(0);
    const failures: unknown[] = [];
    let running = true;
    const append = async (key: string): Promise<void> => {
      const inFlight = new Set<Promise<void>>();
      for (let count = 0; running; count += 1) {
        const one = log.append([record(topic.name, key, `${key}:${count}`)]).then(
          ([appended]) => {
            acknowledged.set(key, (acknowledged.get(key) ?? 0) + 1);
            perPartition[appended!.partition]! += 1;
          },
          (error: unknown) => void failures.push(error),
        );
        inFlight.add(one);
        void one.then(() => inFlight.delete(one));
        // Leaves CPU time for the brokers and the readers.
        await pause(10);
        if (inFlight.size >= IN_FLIGHT) await Promise.race(inFlight);
      }
      await Promise.all(inFlight);
    };
    const all = Promise.all(keys(topic.partitions).map(append));
    return {
      acknowledged,
      failures,
      async moreOnEachPartition(what: string): Promise<void> {
        const before = [...perPartition];
        await eventually(what, () => perPartition.every((count, index) => count > before[index]!));
      },
      async end(): Promise<void> {
        running = false;
        await all;
      },
    };
  }

  /** The numbers of each key's records, in log order. */
  function numbersOf(texts: readonly string[]): Map<string, number[]> {
    const numbers = new Map<string, number[]>();
    for (const text of texts) {
      const [key, number] = text.split(':') as [string, string];
      numbers.set(key, [...(numbers.get(key) ?? []), Number(number)]);
    }
    return numbers;
  }

  test(
    'when leaders move under load, after a kill or a stop, no append fails, nothing is lost or duplicated, and the order is kept',
    async () => {
      const log = await open({ appendTimeoutMs: 60_000, retryTimeoutMs: 30_000 });
      const handled = new Set<string>();
      const reader = await startTolerantReader(log, 'group', topic.name, handled);
      const load = startAppending(log);
      const wholeAgain = () =>
        eventually('every copy is whole', async () =>
          (await cluster.inSync(topic.name)).every((copies) => copies.length === COPIES),
        );
      for (const [index, way] of (['kill', 'stop', 'kill'] as const).entries()) {
        const broker = cluster.brokers[index]!;
        await load.moreOnEachPartition('appends go on');
        await broker[way]();
        await load.moreOnEachPartition('appends go on while a broker is away');
        expect(await cluster.leaders(topic.name)).not.toContain(index + 1);
        await broker.restart();
        await wholeAgain();
      }
      await load.moreOnEachPartition('appends go on');
      await load.end();
      expect(load.failures).toEqual([]);
      const total = [...load.acknowledged.values()].reduce((sum, count) => sum + count, 0);
      await eventually(
        'all is committed',
        async () => (await log.lag('group', [topic.name])).reduce((sum, { lag }) => sum + lag, 0) === 0,
      );
      // The consumer may get a batch twice but misses none, even when a commit was answered too late.
      expect(handled.size).toBe(total);
      expect(reader.errors).toEqual([]);

      const check = await startReader(log, 'check', [topic.name], { commits: false });
      await eventually('the log is read', () => check.records.length >= total);
      for (const [key, numbers] of numbersOf(check.records.map(textOf)))
        expect(numbers).toEqual(Array.from({ length: load.acknowledged.get(key)! }, (_, count) => count));
      expect(check.records.length).toBe(total);
    },
    TIMEOUT_MS,
  );
});

/** One key for each partition. */
const keys = (partitions: number): string[] =>
  Array.from({ length: partitions }, (_, partition) => {
    for (let number = 0; ; number += 1)
      if (partitionOf(`key-${number}`, partitions) === partition) return `key-${number}`;
  });
