import { createRequire } from 'node:module';
import { afterAll, afterEach, describe, expect, jest, test } from '#jest';
import './wire.ts';

const require = createRequire(import.meta.url);
const RequestQueue = require('kafkajs/src/network/requestQueue');

/** A request queue, created as the client's connections do; `maxInFlightRequests` 0: what is pushed stays pending. */
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

  test('none is set while no request waits', () => {
    queueOf(-1).checkPendingRequests();
    expect(lengths()).toEqual([]);
  });

  test('one of a positive length is set while requests wait, for the end of the throttling when there is one', () => {
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
