import { createRequire } from 'node:module';
import { afterAll, afterEach, describe, expect, jest, test } from '#jest';
import './wire.ts';

const require = createRequire(import.meta.url);
const RequestQueue = require('kafkajs/src/network/requestQueue');

/**
 * A request queue as the client's connections create it; with `maxInFlightRequests` 0, pushed requests stay pending.
 */
const queueOf = (throttledUntil: number) => {
  const logger = { namespace: () => logger, debug: () => undefined };
  const queue = new RequestQueue({
    maxInFlightRequests: 0,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'nowhere:1',
    logger,
  });
  queue.throttledUntil = throttledUntil;
  return queue;
};

describe('timers of the Kafka client', () => {
  const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(() => 0 as never);
  afterEach(() => {
    timers.mockClear();
  });
  afterAll(() => timers.mockRestore());
  const lengths = (): unknown[] => timers.mock.calls.map(([, length]) => length);

  test('sets no timer while no request waits', () => {
    queueOf(-1).checkPendingRequests();
    expect(lengths()).toEqual([]);
  });

  test('sets a timer of positive length while requests wait, for the end of the throttling if there is one', () => {
    for (const throttledUntil of [-1, Date.now() + 60_000]) {
      const queue = queueOf(throttledUntil);
      queue.pending.push({});
      queue.scheduleCheckPendingRequests();
    }
    const [unthrottled, throttled] = lengths() as [number, number];
    expect(unthrottled).toBeGreaterThan(0);
    expect(throttled).toBeGreaterThan(50_000);
  });
});
