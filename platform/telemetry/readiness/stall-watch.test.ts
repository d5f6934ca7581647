import { afterEach, beforeEach, describe, expect, jest, test } from '#jest';
import type { StreamHealth } from '#platform/stream/run-stream.ts';
import { watchForStall } from './stall-watch.ts';

const FINE: StreamHealth = {
  joined: true,
  healthy: true,
  stopped: null,
  stalled: [],
  stoppedPartitions: [],
  ready: true,
};
const STALLED = { stalled: ['audit.triplets/3'] };

describe('abandons a stuck consumer', () => {
  let health: StreamHealth;
  let gaveUp: number;
  let stop: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    health = FINE;
    gaveUp = 0;
    stop = watchForStall({
      stream: { health: () => health },
      logger: { fatal: () => undefined },
      clock: () => performance.now(),
      checkMs: 1_000,
      limitMs: 10_000,
      giveUp: () => {
        gaveUp += 1;
      },
    });
  });
  afterEach(() => {
    stop();
    jest.useRealTimers();
  });

  test.each([
    ['offsets that do not advance', STALLED],
    ['no membership in its group', { joined: false }],
  ])('once, after the whole time limit: %s', (_name, trouble) => {
    health = { ...FINE, ...trouble };
    jest.advanceTimersByTime(10_000);
    expect(gaveUp).toBe(0);
    jest.advanceTimersByTime(60_000);
    expect(gaveUp).toBe(1);
  });

  test.each([
    ['it waits for a dependency', { ...STALLED, healthy: false }],
    ['it stopped on purpose', { ...STALLED, joined: false, stopped: new Error('a gap') }],
    ['all is well', {}],
  ])('but not while %s', (_name, state) => {
    health = { ...FINE, ...state };
    jest.advanceTimersByTime(600_000);
    expect(gaveUp).toBe(0);
  });

  test('a consumer that resumes starts a new time limit', () => {
    for (let round = 0; round < 5; round += 1) {
      health = { ...FINE, ...STALLED };
      jest.advanceTimersByTime(9_000);
      health = FINE;
      jest.advanceTimersByTime(1_000);
    }
    expect(gaveUp).toBe(0);
  });
});
