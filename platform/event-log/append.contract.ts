import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { MAX_RECORD_BYTES } from '#schemas/topics.ts';
import { type ContractEnvironment, DEADLINE_MS, manyRecords, record, textOf } from './harness.contract.ts';
import { partitionOf } from './murmur2.ts';
import { AppendError, AppendFailure, type EventLog, LogOverloaded, type LogRecord } from './port.ts';

const TIMEOUT_MS = DEADLINE_MS * 2;

export function appendContract(begin: () => Promise<ContractEnvironment>): void {
  describe('append and read', () => {
    let environment: ContractEnvironment;
    let log: EventLog;
    let topic: string;
    let partitions: number;

    beforeEach(async () => {
      environment = await begin();
      log = await environment.open();
      topic = environment.topics[0].name;
      partitions = environment.topics[0].partitions;
    }, TIMEOUT_MS);
    afterEach(() => environment.end(), TIMEOUT_MS);

    const failureOf = async (appending: Promise<unknown>): Promise<AppendError> => {
      const error = await appending.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(AppendError);
      return error as AppendError;
    };

    test('resolves with the partition of the key, increasing offsets and the time', async () => {
      const before = Date.now();
      const records = manyRecords(topic, 300);
      const appended = await log.append(records);
      expect(appended).toHaveLength(300);
      const last = new Map<number, number>();
      for (const [index, { partition, offset, timestamp }] of appended.entries()) {
        expect(partition).toBe(partitionOf(records[index]!.key, partitions));
        expect(offset).toBeGreaterThan(last.get(partition) ?? -1);
        last.set(partition, offset);
        expect(timestamp).toBeGreaterThanOrEqual(before - 1_000);
        expect(timestamp).toBeLessThanOrEqual(Date.now() + 1_000);
      }
      expect(last.size).toBe(partitions);
    });

    test(
      'read returns each appended record, and null at other offsets',
      async () => {
        const [first] = await log.append([record(topic, 'a', 'one')]);
        const [second] = await log.append([record(topic, 'a', 'two')]);
        const stored = await log.read(topic, first!.partition, first!.offset);
        expect(stored).toMatchObject({ topic, key: 'a', headers: { id: 'one' }, ...first });
        expect(textOf(stored!)).toBe('one');
        expect(textOf((await log.read(topic, second!.partition, second!.offset))!)).toBe('two');
        expect(await log.read(topic, second!.partition, second!.offset + 1)).toBeNull();
      },
      TIMEOUT_MS,
    );

    test(
      'readFrom reads a partition to its end',
      async () => {
        const appended = await log.append(
          Array.from({ length: 700 }, (_, index) => ({
            ...record(topic, 'a', `n${index}`),
            value: Buffer.alloc(2_000, index % 256),
          })),
        );
        const { partition } = appended[0]!;
        const { end } = await log.bounds(topic, partition);
        const read: number[] = [];
        for (let next = appended[3]!.offset; next < end; ) {
          const records = await log.readFrom(topic, partition, next);
          read.push(...records.map(({ offset }) => offset));
          next = (records.at(-1)?.offset ?? end) + 1;
        }
        expect(read).toEqual(appended.slice(3).map(({ offset }) => offset));
        expect(await log.readFrom(topic, partition, end)).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'keeps values, keys and headers byte for byte',
      async () => {
        const records: LogRecord[] = [
          { topic, key: 'k', value: Buffer.alloc(0), headers: {} },
          {
            topic,
            key: 'binary',
            value: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
            headers: {},
          },
          {
            topic,
            key: 'schlüssel-鍵-🔑',
            value: Buffer.from('x'),
            headers: { 'näme-🏷': 'wért-値', empty: '' },
          },
          {
            topic,
            key: 'many',
            value: Buffer.alloc(100_000, 7),
            headers: { a: 'b'.repeat(10_000), c: '\n"\\' },
          },
        ];
        const appended = await log.append(records);
        for (const [index, { partition, offset }] of appended.entries()) {
          const stored = await log.read(topic, partition, offset);
          const { key, value, headers } = records[index]!;
          expect(stored).toMatchObject({ key, partition: partitionOf(key, partitions) });
          expect(stored!.headers).toEqual(headers);
          expect(Buffer.compare(stored!.value, value)).toBe(0);
        }
      },
      TIMEOUT_MS,
    );

    test('concurrent appends of one key keep the order of the calls', async () => {
      const calls = Array.from({ length: 200 }, (_, index) =>
        log.append([record(topic, 'same', `n${index}`)]),
      );
      const offsets = (await Promise.all(calls)).map(([appended]) => appended!.offset);
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
      expect(new Set(offsets).size).toBe(200);
    });

    test('an append without records resolves at once', async () => {
      expect(await log.append([])).toEqual([]);
    });

    test('an append to an unknown topic names the topic and stores nothing', async () => {
      const { end } = await log.bounds(topic, partitionOf('k', partitions));
      await expect(log.append([record(topic, 'k', 'v'), record('no-such-topic', 'k', 'v')])).rejects.toThrow(
        'no-such-topic',
      );
      expect((await log.bounds(topic, partitionOf('k', partitions))).end).toBe(end);
    });

    test(
      'accepts a record just below the size limit',
      async () => {
        const value = Buffer.alloc(MAX_RECORD_BYTES - 2_048, 'x');
        const [appended] = await log.append([{ topic, key: 'big', value, headers: { id: 'big' } }]);
        const stored = await log.read(topic, appended!.partition, appended!.offset);
        expect(Buffer.compare(stored!.value, value)).toBe(0);
      },
      TIMEOUT_MS,
    );

    test(
      'a record that is too large fails with certainty, and only that record',
      async () => {
        const value = Buffer.alloc(MAX_RECORD_BYTES);
        const error = await failureOf(
          log.append([
            record(topic, 'a', 'before'),
            { topic, key: 'big', value, headers: {} },
            record(topic, 'a', 'after'),
          ]),
        );
        const [before, large, after] = error.outcomes;
        expect(large).toBeInstanceOf(AppendFailure);
        expect(large).toMatchObject({ certain: true });
        for (const [outcome, text] of [
          [before, 'before'],
          [after, 'after'],
        ] as const) {
          if (outcome === undefined || outcome instanceof AppendFailure)
            throw new Error(`${text} failed too`);
          expect(textOf((await log.read(topic, outcome.partition, outcome.offset))!)).toBe(text);
        }
      },
      TIMEOUT_MS,
    );

    test(
      'refuses appends with certainty above the limit on waiting bytes, and accepts records again afterwards',
      async () => {
        await log.close();
        log = await environment.open({ maxWaitingBytes: 64 * 1024 });
        const value = Buffer.alloc(10_000);
        const calls = Array.from({ length: 20 }, (_, index) =>
          log.append([{ topic, key: `${index}`, value, headers: {} }]).then(
            () => 'stored',
            (error: unknown) => error,
          ),
        );
        const outcomes = await Promise.all(calls);
        const refused = outcomes.filter((outcome) => outcome !== 'stored') as AppendError[];
        expect(outcomes.filter((outcome) => outcome === 'stored').length).toBeGreaterThanOrEqual(5);
        expect(refused.length).toBeGreaterThanOrEqual(10);
        for (const error of refused) {
          expect(error).toBeInstanceOf(AppendError);
          expect(error.outcomes).toHaveLength(1);
          expect(error.outcomes[0]).toBeInstanceOf(LogOverloaded);
          expect(error.outcomes[0]).toMatchObject({ certain: true });
        }
        expect(await log.append([record(topic, 'k', 'again')])).toHaveLength(1);
      },
      TIMEOUT_MS,
    );

    test('bounds follow the appends, and a closed log refuses calls', async () => {
      const partition = partitionOf('k', partitions);
      const empty = await log.bounds(topic, partition);
      expect(empty.start).toBe(empty.end);
      const [appended] = await log.append([record(topic, 'k', 'v')]);
      const bounds = await log.bounds(topic, partition);
      expect(bounds.start).toBeLessThanOrEqual(appended!.offset);
      expect(bounds.end).toBeGreaterThan(appended!.offset);
      await log.ping();
      await log.close();
      await expect(log.ping()).rejects.toThrow();
      await failureOf(log.append([record(topic, 'k', 'v')]));
    });

    test(
      'close waits for accepted records, and a reopened log contains them',
      async () => {
        const appending = log.append(manyRecords(topic, 1_200));
        await log.close();
        const appended = await appending;
        log = await environment.open();
        for (const index of [0, 599, 1_199]) {
          const { partition, offset } = appended[index]!;
          expect(textOf((await log.read(topic, partition, offset))!)).toBe(`r${index}`);
        }
        const [next] = await log.append([record(topic, 'key-0', 'next')]);
        const before = appended.filter(({ partition }) => partition === next!.partition);
        expect(next!.offset).toBeGreaterThan(before.at(-1)!.offset);
      },
      TIMEOUT_MS,
    );
  });
}
