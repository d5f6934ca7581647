import { describe, expect, test } from '#jest';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import { PartitionFault } from '#platform/event-log/partition-fault.ts';
import type { LogRecord } from '#platform/event-log/port.ts';
import type { Process } from '../failure/outcome.ts';
import { type MemoryLog, memoryLog } from '../testing/memory-log.ts';
import { always, FAILURE, keys, type QUIET, record, startStreams } from '../testing/stream-harness.ts';
import { until } from '../testing/until.ts';

const start = startStreams();
const PARTITIONS = 2;

/** Keys that map to one of the two partitions. */
function keysOf(partition: number, count: number, prefix: string): string[] {
  const found: string[] = [];
  for (let i = 0; found.length < count; i += 1) {
    if (partitionOf(`${prefix}-${i}`, PARTITIONS) === partition) found.push(`${prefix}-${i}`);
  }
  return found;
}
const recordsOf = (partition: number, count: number, prefix: string): LogRecord[] =>
  keysOf(partition, count, prefix).map((key) => record(key));
const failing: Process = async (batch) =>
  batch.records.map((one) =>
    one.key.startsWith('bad') ? { kind: 'deadLetter', failure: FAILURE } : { kind: 'ok' },
  );
const doneTo = (log: MemoryLog, partition: number, count: number, topic = 'main') =>
  until(() => log.committed(topic, partition) === count);

describe('a fault of one partition stops only that partition', () => {
  test('at the limit of dead letters, the other partition continues, and so does a second consumer of the group', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    await log.append([...recordsOf(0, 150, 'bad'), ...recordsOf(1, 3, 'good')]);
    const stream = await start(log, failing);
    await doneTo(log, 1, 3);
    await until(() => log.committed('main', 1) === 3);
    await log.append(recordsOf(1, 5, 'later'));
    await doneTo(log, 1, 8);
    expect(stream.health().stopped).toBeNull();
    expect(log.committed('main', 0)).toBeNull();
    expect(log.stored('main.dlq')).toEqual([]);
    await stream.stop();
    const second = await start(log, failing);
    await log.append(recordsOf(1, 2, 'last'));
    await doneTo(log, 1, 10);
    expect(second.health().stopped).toBeNull();
    expect(log.committed('main', 0)).toBeNull();
  });

  test('with a gap in the log, the other partition continues', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    await log.append([...recordsOf(0, 3, 'cut'), ...recordsOf(1, 3, 'good')]);
    const stream = await start(log, always({ kind: 'ok' }), {
      topics: ['main'],
      // As with a log that lost records that the group has already read.
      onAssigned: ({ partition, end }) => (partition === 0 ? end + 5 : 0),
    });
    await doneTo(log, 1, 3);
    await log.append(recordsOf(1, 2, 'later'));
    await doneTo(log, 1, 5);
    expect(stream.health().stopped).toBeNull();
    expect(log.committed('main', 0)).toBeNull();
  });

  test('a bug still ends the consumer', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    await log.append(recordsOf(0, 1, 'any'));
    const stream = await start(log, () => Promise.reject(new TypeError('a bug')));
    await until(() => stream.health().stopped !== null);
    expect(stream.health()).toMatchObject({ ready: false, stoppedPartitions: [] });
  });
});

describe('a stopped partition', () => {
  /** Collects logs and metrics. */
  const watched = () => {
    const logged: string[] = [];
    const gauge: [number, string, boolean][] = [];
    const levels = {
      info: (_: unknown, message?: string) => logged.push(`info ${message}`),
      warn: () => undefined,
      error: (_: unknown, message?: string) => logged.push(`error ${message}`),
    };
    return {
      logged,
      gauge,
      options: {
        logger: levels as unknown as typeof QUIET,
        metrics: {
          stopped: (_topic: string, partition: number, reason: string, isStopped: boolean) =>
            gauge.push([partition, reason, isStopped]),
        },
      },
    };
  };

  test('a stopped partition resumes without a restart once its cause is fixed, is logged once, and retries often without counting twice', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    await log.append(recordsOf(0, 150, 'bad'));
    const { logged, gauge, options } = watched();
    let [isFixed, attempts] = [false, 0];
    const stream = await start(
      log,
      async (batch, context) => {
        attempts += 1;
        return isFixed ? batch.records.map(() => ({ kind: 'ok' })) : failing(batch, context);
      },
      { ...options, limits: { lookAgainMs: 1 } },
    );
    await until(() => attempts > 8);
    expect(stream.health()).toMatchObject({ ready: true, stopped: null });
    expect(stream.health().stoppedPartitions).toHaveLength(1);
    expect(logged).toEqual(['error partition stopped']);
    expect(gauge).toEqual([[0, 'TOO_MANY_DEAD_LETTERS', true]]);
    isFixed = true;
    await doneTo(log, 0, 150);
    expect(stream.health().stoppedPartitions).toEqual([]);
    expect(logged[1]).toBe('info partition resumed');
    expect(gauge[1]).toEqual([0, 'TOO_MANY_DEAD_LETTERS', false]);
    // Those retries were not counted: a hundred more are allowed before the partition stops again.
    await log.append([...recordsOf(0, 99, 'bad-again'), ...recordsOf(0, 1, 'good')]);
    isFixed = false;
    await doneTo(log, 0, 250);
    expect(log.stored('main.dlq')).toHaveLength(99);
  });

  test('a stopped partition is never reported as stalled', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    let time = 0;
    await log.append(recordsOf(0, 150, 'bad'));
    const stream = await start(log, failing, {
      clock: () => time,
      limits: { progressCheckMs: 1, stalledAfterMs: 60_000 },
    });
    await until(() => stream.health().stoppedPartitions.length === 1);
    const lags: number[] = [];
    const { lag } = log;
    log.lag = async (...args) => {
      lags.push(time);
      return lag(...args);
    };
    // It was seen without progress before the time is up.
    await until(() => lags.length > 2);
    time = 600_000;
    await until(() => lags.filter((at) => at === time).length > 2);
    expect(stream.health()).toMatchObject({ stalled: [], ready: true });
  });

  test('a partition whose note cannot be written is stopped all the same, and its work ends with the partition', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    await log.append([...recordsOf(0, 150, 'bad'), ...recordsOf(1, 1, 'good')]);
    const refuse = () => Promise.reject(new Error('the state is down'));
    const stream = await start(log, failing, {
      stops: { note: refuse, forget: refuse, decided: refuse },
      limits: { decisionMs: 1 },
    });
    await until(() => stream.health().stoppedPartitions.length === 1);
    await doneTo(log, 1, 1);
    await log.rebalance('main', 0);
    await until(() => stream.health().stoppedPartitions.length === 1);
    await stream.stop();
    expect(stream.health().stoppedPartitions).toEqual([]);
    expect(log.committed('main', 0)).toBeNull();
  });

  test('a gap whose loss is accepted is skipped', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    await log.append(recordsOf(0, 5, 'any'));
    log.lose('main', 0, 3);
    let accepted: number | null = null;
    const seen: string[] = [];
    const stream = await start(
      log,
      async (batch) => {
        seen.push(...keys(batch));
        return batch.records.map(() => ({ kind: 'ok' }));
      },
      {
        topics: ['main'],
        onAssigned: () => 0,
        skipGap: async () => accepted,
        stops: {
          note: async () => undefined,
          forget: async () => undefined,
          decided: async () => accepted !== null,
        },
        limits: { decisionMs: 1 },
      },
    );
    await until(() => stream.health().stoppedPartitions.length === 1);
    expect(stream.health().stoppedPartitions).toMatchObject([
      { kind: 'LOG_HOLE', offset: 0, untilOffset: 3, reason: 'RECORDS_MISSING' },
    ]);
    accepted = 3;
    await doneTo(log, 0, 5);
    expect(seen).toEqual(keysOf(0, 5, 'any').slice(3));
    expect(stream.health().stoppedPartitions).toEqual([]);
  });

  test('a repaired record is read again, and one removed from the log becomes a gap', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    await log.append(recordsOf(0, 2, 'bad'));
    const refused = new RecordRefused('main', 0);
    const seen: string[] = [];
    const stream = await start(
      log,
      async (batch) => {
        if (keys(batch).some((key) => key.startsWith('bad'))) throw refused;
        seen.push(...keys(batch));
        return batch.records.map(() => ({ kind: 'ok' }));
      },
      { topics: ['main'], onAssigned: () => 0, limits: { lookAgainMs: 1 } },
    );
    const stop = () => stream.health().stoppedPartitions[0];
    await until(() => stop()?.kind === 'RECORD_REFUSED');
    log.cutEnd('main', 0, 0);
    const repaired = recordsOf(0, 2, 'good');
    await log.append(repaired);
    await doneTo(log, 0, 2);
    expect(seen).toEqual(repaired.map(({ key }) => key));
    expect(stop()).toBeUndefined();
    await log.append(recordsOf(0, 3, 'bad'));
    await until(() => stop()?.kind === 'RECORD_REFUSED');
    log.lose('main', 0, 4);
    await until(() => stop()?.kind === 'LOG_HOLE');
    expect(stop()).toMatchObject({ offset: 2, untilOffset: 4 });
  });
});

class RecordRefused extends PartitionFault {
  constructor(topic: string, partition: number) {
    super('RECORD_REFUSED', 'HEADERS', { topic, partition, offset: 0 }, 'a record that cannot be taken');
  }
}

describe('a log that lost its end', () => {
  const startAndCut = async (log: MemoryLog, options: Parameters<typeof start>[2] = {}) => {
    const seen: string[] = [];
    const first = recordsOf(0, 5, 'first');
    await log.append(first);
    const stream = await start(
      log,
      async (batch) => {
        seen.push(...keys(batch));
        return batch.records.map(() => ({ kind: 'ok' }));
      },
      { topics: ['main'], limits: { lookAgainMs: 1 }, ...options },
    );
    await doneTo(log, 0, 5);
    log.cutEnd('main', 0, 3);
    await until(() => stream.health().stoppedPartitions.length === 1);
    expect(stream.health().stoppedPartitions).toMatchObject([
      { kind: 'LOG_HOLE', offset: 5, untilOffset: null },
    ]);
    return { stream, seen, lost: first.slice(3) };
  };
  const untilBoundsRead = async (log: MemoryLog, times: number): Promise<void> => {
    const { bounds } = log;
    let count = 0;
    log.bounds = (...args) => {
      count += 1;
      return bounds(...args);
    };
    await until(() => count >= times);
  };

  test('a log that lost its end and was filled with other records does not continue: they would never be read', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    const { stream, seen } = await startAndCut(log);
    await log.append(recordsOf(0, 6, 'other'));
    await untilBoundsRead(log, 5);
    expect(seen).toHaveLength(5);
    expect(log.committed('main', 0)).toBe(5);
    expect(stream.health().stoppedPartitions).toMatchObject([{ kind: 'LOG_HOLE', offset: 5 }]);
  });

  test('a log that lost its end resumes by itself once it is restored, with no new records after it', async () => {
    const log = memoryLog({ partitions: PARTITIONS, now: () => 1 });
    const { stream, seen, lost } = await startAndCut(log);
    await log.append(lost);
    await until(() => stream.health().stoppedPartitions.length === 0);
    await log.append(recordsOf(0, 1, 'new'));
    await doneTo(log, 0, 6);
    expect(seen).toHaveLength(6);
  });

  test('with onAssigned, the handler decides about a log that lost its end', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    const answers: (number | Error)[] = [];
    const refused = new RecordRefused('main', 0);
    const { stream, seen } = await startAndCut(log, {
      onAssigned: ({ partition }) => {
        const answer = partition === 0 ? answers.shift() : undefined;
        if (answer instanceof Error) throw answer;
        return answer ?? 0;
      },
    });
    answers.push(refused, refused, 3);
    await log.append(recordsOf(0, 6, 'other'));
    await doneTo(log, 0, 9);
    expect(answers).toEqual([]);
    expect(seen.slice(5)).toEqual(keysOf(0, 6, 'other'));
    expect(stream.health().stoppedPartitions).toEqual([]);
  });
});

test('a restored gap with no records after it no longer stops its partition', async () => {
  const log = memoryLog({ partitions: PARTITIONS });
  await log.append(recordsOf(0, 5, 'any'));
  log.lose('main', 0, 5);
  const stream = await start(log, always({ kind: 'ok' }), {
    topics: ['main'],
    onAssigned: ({ partition }) => (partition === 0 ? 3 : 0),
    limits: { lookAgainMs: 1 },
  });
  await until(() => stream.health().stoppedPartitions.length === 1);
  log.cutEnd('main', 0, 3);
  log.lose('main', 0, 0);
  await until(() => stream.health().stoppedPartitions.length === 0);
  await log.append(recordsOf(0, 1, 'new'));
  await doneTo(log, 0, 4);
});
