import { describe, expect, test } from '@jest/globals';
import type { LogRecord } from '../event-log/port.ts';
import type { Process } from './outcome.ts';
import { memoryLog } from './testing/memory-log.ts';
import { FAILURE, ROUTE, record, startStreams } from './testing/stream-harness.ts';
import { until } from './testing/until.ts';

const start = startStreams();

const records = (customerId: string, count: number, topic = 'main'): LogRecord[] =>
  Array.from({ length: count }, (_, i) => ({ ...record(`${customerId}-${i}`, { customerId }), topic }));
/** Fails whatever these customers send, for good or until its last attempt. */
const failingFor =
  (kind: 'deadLetter' | 'retry', ...customers: string[]): Process =>
  async (batch) =>
    batch.records.map((one) =>
      customers.includes(one.headers.customerId ?? '') ? { kind, failure: FAILURE } : { kind: 'ok' },
    );
const RETRIES_SOON = { ...ROUTE, retries: ROUTE.retries.map((retry) => ({ ...retry, delayMs: 1 })) };

describe('the limit of dead letters looks at customers', () => {
  test('one customer whose texts all fail for good is dead-lettered, and the others go on', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append(records('fine', 5));
    await log.append(records('failing', 300));
    await log.append(records('other', 5));
    const stream = await start(log, failingFor('deadLetter', 'failing'), { limits: { maxRecords: 50 } });
    await until(() => log.committed('main', 0) === 310);
    expect(log.stored('main.dlq')).toHaveLength(300);
    expect(stream.health()).toMatchObject({ stopped: null, ready: true });
  });

  test('in retry topics too, where nothing but its texts is seen', async () => {
    const log = memoryLog({ partitions: 1 });
    await log.append(records('fine', 5));
    await log.append(records('failing', 300));
    const stream = await start(log, failingFor('retry', 'failing'), { route: RETRIES_SOON });
    await until(() => log.stored('main.dlq').length === 300);
    await log.append(records('other', 5));
    await until(() => log.committed('main', 0) === 310);
    expect(stream.health()).toMatchObject({ stopped: null, ready: true });
  });
});
