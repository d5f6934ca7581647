import { afterEach, beforeEach, describe, expect, test } from '#jest';
import {
  type ContractEnvironment,
  DEADLINE_MS,
  eventually,
  manyRecords,
  record,
  startReader,
  textOf,
} from './harness.contract.ts';
import { partitionOf } from './murmur2.ts';
import { type Appended, type EventLog, LogGap } from './port.ts';

const TIMEOUT_MS = DEADLINE_MS * 3;

export function consumeContract(begin: () => Promise<ContractEnvironment>): void {
  describe('consume', () => {
    let environment: ContractEnvironment;
    let log: EventLog;
    let topic: string;
    let other: string;
    let partitions: number;

    beforeEach(async () => {
      environment = await begin();
      log = await environment.open();
      topic = environment.topics[0].name;
      other = environment.topics[1].name;
      partitions = environment.topics[0].partitions;
    }, TIMEOUT_MS);
    afterEach(() => environment.end(), TIMEOUT_MS);

    const texts = (records: readonly { value: Buffer }[]): string[] => records.map(textOf).sort();
    const sorted = (prefix: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}`).sort();

    test(
      'a group starts at the earliest record and follows the appends in order, one partition per batch',
      async () => {
        await log.append(manyRecords(topic, 400, 'old'));
        const reader = await startReader(log, 'group', [topic, other], { maxRecords: 10 });
        await eventually('old records are read', () => reader.records.length >= 400);
        await log.append([...manyRecords(topic, 100, 'new'), ...manyRecords(other, 100, 'other')]);
        await eventually('new records are read', () => reader.records.length >= 600);
        expect(texts(reader.records)).toEqual(
          [...sorted('new', 100), ...sorted('old', 400), ...sorted('other', 100)].sort(),
        );
        const last = new Map<string, number>();
        for (const batch of reader.batches) {
          expect(batch.records.length).toBeGreaterThan(0);
          expect(batch.records.length).toBeLessThanOrEqual(10);
          expect(batch.nextOffset).toBeGreaterThan(batch.records.at(-1)!.offset);
          expect(batch.end).toBeGreaterThanOrEqual(batch.nextOffset);
          for (const { topic: from, partition, offset } of batch.records) {
            expect([from, partition]).toEqual([batch.topic, batch.partition]);
            expect(offset).toBeGreaterThan(last.get(`${from}/${partition}`) ?? -1);
            last.set(`${from}/${partition}`, offset);
          }
        }
        expect(reader.consumer.joined).toBe(true);
        await reader.consumer.stop();
        expect(reader.consumer.joined).toBe(false);
        expect(reader.errors).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'resumes after the committed offset, also after a restart of the log',
      async () => {
        await log.append(manyRecords(topic, 200, 'a'));
        const first = await startReader(log, 'group', [topic]);
        await eventually('all is read', () => first.records.length >= 200);
        await eventually('all is committed', async () => (await lagOf('group')) === 0);
        await log.close();
        log = await environment.open();
        await log.append(manyRecords(topic, 50, 'b'));
        const second = await startReader(log, 'group', [topic]);
        await eventually('the rest is read', () => second.records.length >= 50);
        expect(texts(second.records)).toEqual(sorted('b', 50));
      },
      TIMEOUT_MS,
    );

    test(
      'uncommitted records are delivered again',
      async () => {
        await log.append(manyRecords(topic, 60));
        const first = await startReader(log, 'group', [topic], { commits: false });
        await eventually('all is read', () => first.records.length >= 60);
        await first.consumer.stop();
        const second = await startReader(log, 'group', [topic]);
        await eventually('all is read again', () => second.records.length >= 60);
        expect(texts(second.records)).toEqual(sorted('r', 60));
      },
      TIMEOUT_MS,
    );

    test(
      'two groups are independent of each other',
      async () => {
        await log.append(manyRecords(topic, 100));
        const one = await startReader(log, 'one', [topic]);
        const two = await startReader(log, 'two', [topic], { commits: false });
        await eventually('both read all', () => one.records.length >= 100 && two.records.length >= 100);
        await eventually('one has no lag', async () => (await lagOf('one')) === 0);
        expect(await lagOf('two')).toBeGreaterThanOrEqual(100);
      },
      TIMEOUT_MS,
    );

    test(
      'onAssigned gets bounds and committed offset, and decides where to start',
      async () => {
        const partition = partitionOf('k', partitions);
        const appended: Appended[] = [];
        for (const text of ['0', '1', '2', '3'])
          appended.push(...(await log.append([record(topic, 'k', text)])));
        const third = appended[2]!.offset;
        const first = await startReader(log, 'group', [topic], {
          onAssigned: (assignment) => {
            if (assignment.partition !== partition) return undefined;
            expect(assignment).toMatchObject({ topic, committed: null });
            expect(assignment.start).toBeLessThanOrEqual(appended[0]!.offset);
            expect(assignment.end).toBeGreaterThan(appended[3]!.offset);
            return third;
          },
        });
        await eventually('the rest is read', () => first.records.length >= 2);
        expect(first.records.map(textOf)).toEqual(['2', '3']);
        await first.consumer.stop();
        const committed: (number | null)[] = [];
        const second = await startReader(log, 'group', [topic], {
          onAssigned: (assignment) => {
            if (assignment.partition !== partition) return undefined;
            committed.push(assignment.committed);
            return appended[1]!.offset;
          },
        });
        await eventually('an earlier part is read again', () => second.records.length >= 3);
        expect(second.records.map(textOf)).toEqual(['1', '2', '3']);
        expect(committed).toEqual([first.batches.at(-1)!.nextOffset]);
        expect([...first.errors, ...second.errors]).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'a start offset or a committed offset beyond the log stops the consumer and skips nothing',
      async () => {
        const partition = partitionOf('k', partitions);
        await log.append([record(topic, 'k', 'v')]);
        const { end } = await log.bounds(topic, partition);
        const asked = await startReader(log, 'asked', [topic], {
          onAssigned: (assignment) => (assignment.partition === partition ? end + 5 : undefined),
        });
        await eventually('the consumer stops', () => asked.errors.length > 0);
        expect(asked.errors[0]).toBeInstanceOf(LogGap);
        expect(asked.consumer.joined).toBe(false);
        expect(asked.records).toEqual([]);

        // Without commits: the reader's own commit of the record would race with the one made here.
        const ahead = await startReader(log, 'ahead', [topic], { commits: false });
        await eventually('all is owned', () => ahead.owned.size === partitions);
        await ahead.consumer.commit(topic, partition, end + 5);
        await ahead.consumer.stop();
        const stopped = await startReader(log, 'ahead', [topic]);
        await eventually('the consumer stops', () => stopped.errors.length > 0);
        expect(stopped.errors[0]).toBeInstanceOf(LogGap);
        expect(stopped.records).toEqual([]);
        const lag = (await log.lag('ahead', [topic])).find((each) => each.partition === partition);
        expect(lag).toMatchObject({ committed: end + 5 });
      },
      TIMEOUT_MS,
    );

    test(
      'the handler decides about a gap: the offset is retried, then the gap is skipped, while other partitions continue',
      async () => {
        const partition = partitionOf('k', partitions);
        const free = otherKey(partition);
        await log.append([record(topic, 'k', 'v')]);
        await log.append([record(topic, free, 'free 1')]);
        const { start, end } = await log.bounds(topic, partition);
        const gaps: LogGap[] = [];
        let decide: (offset: number) => void = () => undefined;
        const reader = await startReader(log, 'group', [topic], {
          onAssigned: (assignment) => (assignment.partition === partition ? end + 5 : undefined),
          onGap: (gap) => {
            gaps.push(gap);
            // The first gap is retried at once; the second one waits.
            if (gaps.length === 1) return Promise.resolve(gap.offset);
            return new Promise((resolve) => {
              decide = resolve;
            });
          },
        });
        await eventually('the gap is found again', () => gaps.length === 2);
        expect(gaps[1]).toMatchObject({
          name: 'LogGap',
          topic,
          partition,
          offset: end + 5,
          untilOffset: null,
        });
        await log.append([record(topic, free, 'free 2')]);
        await eventually('the other partition continues', () => reader.records.length >= 2);
        expect(reader.records.map(textOf)).toEqual(['free 1', 'free 2']);
        expect(reader.consumer.joined).toBe(true);
        decide(start);
        await eventually('it continues at the given offset', () => reader.records.length >= 3);
        expect(textOf(reader.records.at(-1)!)).toBe('v');
        expect(reader.errors).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'a stop ends the wait for a decision about a gap or about the start offset',
      async () => {
        await log.append([record(topic, 'k', 'v')]);
        const gapPartition = partitionOf('k', partitions);
        const { end } = await log.bounds(topic, gapPartition);
        const waiting = new Set<string>();
        const ended = new Set<string>();
        const untilLost = (what: string, signal: AbortSignal): Promise<never> => {
          waiting.add(what);
          return new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              ended.add(what);
              reject(signal.reason);
            });
          });
        };
        const reader = await startReader(log, 'group', [topic], {
          onAssigned: ({ partition }, signal) =>
            partition === gapPartition ? end + 5 : untilLost(`begin ${partition}`, signal),
          onGap: (_gap, signal) => untilLost('hole', signal),
        });
        await eventually('all wait', () => waiting.size === partitions);
        await reader.consumer.stop();
        expect(ended).toEqual(waiting);
        expect(reader.errors).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'a handler that throws stops the consumer once, commits nothing, and the batch is redelivered',
      async () => {
        await log.append(manyRecords(topic, 30));
        const lag = await lagOf('group');
        const failing = await startReader(log, 'group', [topic], {
          onBatch: () => Promise.reject(new Error('no')),
        });
        await eventually('the consumer stops', () => failing.errors.length > 0);
        expect(failing.errors.map((error) => error.message)).toEqual(['no']);
        expect(failing.consumer.joined).toBe(false);
        await failing.consumer.stop();
        expect(await lagOf('group')).toBe(lag);
        const next = await startReader(log, 'group', [topic]);
        await eventually('all is read', () => next.records.length >= 30);
        expect(texts(next.records)).toEqual(sorted('r', 30));
        expect(failing.errors).toHaveLength(1);
      },
      TIMEOUT_MS,
    );

    test(
      'a throwing onAssigned stops the consumer before any record',
      async () => {
        await log.append(manyRecords(topic, 10));
        const reader = await startReader(log, 'group', [topic], {
          onAssigned: () => Promise.reject(new Error('positions differ')),
        });
        await eventually('the consumer stops', () => reader.errors.length > 0);
        expect(reader.errors[0]!.message).toBe('positions differ');
        expect(reader.records).toEqual([]);
      },
      TIMEOUT_MS,
    );

    test(
      'pause stops one partition, resume continues it, and seek moves it back',
      async () => {
        const reader = await startReader(log, 'group', [topic]);
        await eventually('all is owned', () => reader.owned.size === partitions);
        const pausedPartition = partitionOf('held', partitions);
        const free = otherKey(pausedPartition);
        reader.consumer.pause(topic, pausedPartition);
        reader.consumer.pause(topic, pausedPartition);
        const [first] = await log.append([record(topic, 'held', 'held 1')]);
        await log.append([record(topic, 'held', 'held 2')]);
        await log.append([record(topic, free, 'free 1')]);
        await eventually('the other partition continues', () => reader.records.length >= 1);
        await log.append([record(topic, free, 'free 2')]);
        await eventually('the other partition continues', () => reader.records.length >= 2);
        expect(reader.records.map(textOf)).toEqual(['free 1', 'free 2']);
        reader.consumer.resume(topic, pausedPartition);
        await eventually('the held records arrive', () => reader.records.length >= 4);
        expect(reader.records.slice(2).map(textOf)).toEqual(['held 1', 'held 2']);
        reader.consumer.pause(topic, pausedPartition);
        reader.consumer.seek(topic, pausedPartition, first!.offset);
        reader.consumer.resume(topic, pausedPartition);
        await eventually('the held records are redelivered', () => reader.records.length >= 6);
        expect(reader.records.slice(4).map(textOf)).toEqual(['held 1', 'held 2']);
      },
      TIMEOUT_MS,
    );

    test(
      'seek within onBatch redelivers the same batch',
      async () => {
        let failures = 2;
        let seek: (offset: number) => void = () => undefined;
        const seen: string[] = [];
        const partition = partitionOf('k', partitions);
        const reader = await startReader(log, 'group', [topic], {
          onBatch: async (batch) => {
            seen.push(...batch.records.map(textOf));
            if (failures-- > 0) seek(batch.records[0]!.offset);
          },
          commits: false,
        });
        seek = (offset) => reader.consumer.seek(topic, partition, offset);
        await eventually('all is owned', () => reader.owned.size === partitions);
        await log.append([record(topic, 'k', 'v')]);
        await log.append([record(topic, 'k', 'w')]);
        // A batch may hold both, so the first 'w' may arrive before the last 'v'.
        const times = (wanted: string) => seen.filter((text) => text === wanted).length;
        await eventually('both arrived', () => times('v') >= 3 && times('w') >= 1);
        expect(times('v')).toBe(3);
        expect(seen.indexOf('w')).toBeGreaterThan(0);
      },
      TIMEOUT_MS,
    );

    test(
      'lag counts uncommitted records per partition',
      async () => {
        await log.append(manyRecords(topic, 120));
        const before = await log.lag('group', [topic]);
        expect(before).toHaveLength(partitions);
        expect(before.every(({ committed }) => committed === null)).toBe(true);
        for (const { partition, end, lag } of before) {
          const { start } = await log.bounds(topic, partition);
          expect(lag).toBe(end - start);
        }
        expect(await lagOf('group')).toBeGreaterThanOrEqual(120);
        const reader = await startReader(log, 'group', [topic]);
        await eventually('all is committed', async () => (await lagOf('group')) === 0);
        await reader.consumer.stop();
        await log.append(manyRecords(topic, 97));
        expect(await lagOf('group')).toBeGreaterThanOrEqual(97);
        for (const { partition, committed, end, lag } of await log.lag('group', [topic])) {
          const bounds = await log.bounds(topic, partition);
          expect({ end, lag }).toEqual({ end: bounds.end, lag: bounds.end - (committed ?? bounds.start) });
        }
      },
      TIMEOUT_MS,
    );

    /** A key that maps to another partition. */
    const otherKey = (partition: number): string =>
      Array.from({ length: 100 }, (_, index) => `free-${index}`).find(
        (key) => partitionOf(key, partitions) !== partition,
      )!;
    const lagOf = async (group: string): Promise<number> =>
      (await log.lag(group, [topic])).reduce((sum, { lag }) => sum + lag, 0);
  });
}
