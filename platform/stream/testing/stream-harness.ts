import { afterEach } from '#jest';
import type { Batch, LogRecord } from '#platform/event-log/port.ts';
import type { Outcome, Process } from '../failure/outcome.ts';
import type { RetryRoute } from '../failure/retry-route.ts';
import type { StreamOptions } from '../partition/options.ts';
import { runStream, type Stream, topicsWithRetries } from '../run-stream.ts';
import type { MemoryLog } from './memory-log.ts';

export const ROUTE: RetryRoute = {
  retries: [
    { topic: 'main.retry.1', delayMs: 20 },
    { topic: 'main.retry.2', delayMs: 40 },
  ],
  deadLetters: 'main.dlq',
};
export const FAILURE = { code: 'ANALYSIS_FAILED', stage: 'detect', errorClass: 'TypeError' } as const;
export const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const BACKOFF = { firstMs: 1, maxMs: 4, random: () => 0.5 };

export type Start = (log: MemoryLog, process: Process, options?: Partial<StreamOptions>) => Promise<Stream>;

/** Starts streams with short back-off; streams still running after a test are stopped. */
export function startStreams(): Start {
  const streams: Stream[] = [];
  afterEach(async () => {
    await Promise.all(streams.splice(0).map((stream) => stream.stop()));
  });
  return async (log, process, options = {}) => {
    const { limits, ...others } = options;
    const stream = await runStream({
      log,
      group: 'g',
      topics: topicsWithRetries(['main'], ROUTE),
      route: ROUTE,
      process,
      logger: QUIET,
      limits: { backoff: BACKOFF, ...limits },
      ...others,
    });
    streams.push(stream);
    return stream;
  };
}

export const record = (key: string, headers: Record<string, string> = {}): LogRecord => ({
  topic: 'main',
  key,
  value: Buffer.from(`value of ${key}`),
  headers: { auditId: key, attempt: '1', steps: '[{"name":"ACCEPTED","at":"t0"}]', ...headers },
});
export const keys = (batch: Batch): string[] => batch.records.map((one) => one.key);
/** A `process` that gives every record the same outcome. */
export const always =
  (outcome: Outcome): Process =>
  async (batch) =>
    batch.records.map(() => outcome);
/** True once the partition is done up to `count`. */
export const done =
  (log: MemoryLog, count: number, topic = 'main') =>
  () =>
    log.committed(topic, 0) === count;
