import { describe, expect, test } from '#jest';
import type { LogRecord } from '#platform/event-log/port.ts';
import { memoryLog } from '../testing/memory-log.ts';
import { FAILURE, ROUTE, record, startStreams } from '../testing/stream-harness.ts';
import { until } from '../testing/until.ts';
import type { Process } from './outcome.ts';

const start = startStreams();

const records = (customerId: string, count: number, topic = 'main'): LogRecord[] =>
  Array.from({ length: count }, (_, i) => ({ ...record(`${customerId}-${i}`, { customerId }), topic }));
/** Fails all records of these customers, either permanently or with retries up to the last attempt. */
const failingFor =
  (kind: 'deadLetter' | 'retry', ...customers: string[]): Process =>
  async (batch) =>
    batch.records.map((one) =>
      customers.includes(one.headers.customerId ?? '') ? { kind, failure: FAILURE } : { kind: 'ok' },
    );
const RETRIES_SOON = { ...ROUTE, retries: ROUTE.retries.map((retry) => ({ ...retry, delayMs: 1 })) };

describe('the limit of dead letters distinguishes customers', () => {
  test('one customer whose texts all fail permanently is dead-lettered, and the others continue', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append(records('fine', 5));
    await log.append(records('failing', 300));
    await log.append(records('other', 5));
    const stream = await start(log, failingFor('deadLetter', 'failing'), { limits: { maxRecords: 50 } });
    await until(() => log.committed('main', 0) === 310);
    expect(log.stored('main.dlq')).toHaveLength(300);
    expect(stream.health()).toMatchObject({ stopped: null, ready: true });
  });

  test('dead letters of one customer continue in retry topics too, which see only its texts', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append(records('fine', 5));
    await log.append(records('failing', 300));
    const stream = await start(log, failingFor('retry', 'failing'), { route: RETRIES_SOON });
    await until(() => log.stored('main.dlq').length === 300);
    await log.append(records('other', 5));
    await until(() => log.committed('main', 0) === 310);
    expect(stream.health()).toMatchObject({ stopped: null, ready: true });
  });

  test('an installation with a single customer still stops when all its records fail', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append(records('only', 150));
    const stream = await start(log, failingFor('deadLetter', 'only'));
    await until(() => stream.health().stoppedPartitions.length === 1);
    expect(log.stored('main.dlq')).toEqual([]);
  });

  test('a fault of ours that fails few or all customers’ records still stops the partition', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append(['a', 'b', 'c'].flatMap((customerId) => records(customerId, 50)));
    const stream = await start(log, failingFor('deadLetter', 'a', 'b', 'c'));
    await until(() => stream.health().stoppedPartitions.length === 1);
    expect(log.stored('main.dlq')).toEqual([]);
  });

  test('a retry topic that saw only one customer’s failing texts continues when another’s succeed', async () => {
    const log = memoryLog({ partitions: 1 });
    const retry = ROUTE.retries[1]!.topic;
    await log.append(records('failing', 150, retry));
    const stream = await start(log, failingFor('retry', 'failing'), {
      route: RETRIES_SOON,
      limits: { lookAgainMs: 1 },
    });
    await until(() => stream.health().stoppedPartitions.length === 1);
    expect(stream.health().stoppedPartitions).toMatchObject([{ topic: retry }]);
    await log.append(records('other', 1));
    await until(() => log.committed(retry, 0) === 150);
    expect(log.stored('main.dlq')).toHaveLength(150);
    expect(stream.health().stoppedPartitions).toEqual([]);
  });
});
