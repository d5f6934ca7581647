import { describe, expect, test } from '@jest/globals';
import { partitionOf } from '../event-log/murmur2.ts';
import type { LogRecord } from '../event-log/port.ts';
import type { Process } from './outcome.ts';
import { type MemoryLog, memoryLog } from './testing/memory-log.ts';
import { always, FAILURE, record, startStreams } from './testing/stream-harness.ts';
import { until } from './testing/until.ts';

const start = startStreams();
const PARTITIONS = 2;

/** Keys of one of the two partitions. */
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

describe('a fault of one partition stops that partition alone', () => {
  test('the limit of dead letters: the other partition goes on, and so does a second consumer of the group', async () => {
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

  test('a hole in the log: the other partition goes on', async () => {
    const log = memoryLog({ partitions: PARTITIONS });
    await log.append([...recordsOf(0, 3, 'cut'), ...recordsOf(1, 3, 'good')]);
    const stream = await start(log, always({ kind: 'ok' }), {
      topics: ['main'],
      // As a log says it that lost what the group has read.
      onAssigned: ({ partition, end }) => (partition === 0 ? end + 5 : 0),
    });
    await doneTo(log, 1, 3);
    await log.append(recordsOf(1, 2, 'later'));
    await doneTo(log, 1, 5);
    expect(stream.health().stopped).toBeNull();
    expect(log.committed('main', 0)).toBeNull();
  });
});
