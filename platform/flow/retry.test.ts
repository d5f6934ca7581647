import { describe, expect, test } from '#jest';
import { retryWithBackoff } from './retry.ts';
import { isRetryable, ServiceError } from './service-error.ts';

class Away extends ServiceError {}
class Refused extends ServiceError {
  override readonly retryable = false;
}

const backoff = { firstMs: 1, maxMs: 10 };

/** Work that fails `times` times with an error and then succeeds. */
function failing(times: number, error: Error = new Away('away')) {
  const calls: number[] = [];
  const work = async (): Promise<string> => {
    calls.push(calls.length);
    if (calls.length <= times) throw error;
    return 'done';
  };
  return { calls, work };
}

test('only an error that says so is worth retrying', () => {
  expect([new Away('a'), new Refused('b'), new Error('c'), 'd', null].map(isRetryable)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

describe('retry with back-off', () => {
  test('retries with growing pauses until the work succeeds, and reports each failure', async () => {
    const { calls, work } = failing(5);
    const reported: number[] = [];
    const result = retryWithBackoff({ backoff, onRetry: (_error, pauseMs) => reported.push(pauseMs) }, work);
    expect(await result).toBe('done');
    expect(reported).toEqual([1, 2, 4, 8, 10]);
    expect(calls).toHaveLength(6);
  });

  test('a permanent error is thrown immediately', async () => {
    const { calls, work } = failing(1, new Refused('no'));
    await expect(retryWithBackoff({ backoff }, work)).rejects.toBeInstanceOf(Refused);
    expect(calls).toHaveLength(1);
  });

  test('the caller may decide what is worth retrying', async () => {
    const { calls, work } = failing(1, new Error('any'));
    const result = retryWithBackoff({ backoff, isRetryable: () => true }, work);
    expect(await result).toBe('done');
    expect(calls).toHaveLength(2);
  });

  test('gives up before a pause that would end too late, with the last error as the cause', async () => {
    const { calls, work } = failing(100);
    let time = 1_000;
    const limit = {
      timeoutMs: 7,
      clock: () => time,
      exhausted: (cause: unknown) => new Error('given up', { cause }),
    };
    const onRetry = (_error: unknown, pauseMs: number): void => {
      time += pauseMs;
    };
    const result = retryWithBackoff({ backoff, limit, onRetry }, work).catch((error: Error) => error);
    expect(await result).toMatchObject({ message: 'given up', cause: expect.any(Away) });
    // At 0, 1, 3 and 7 ms; the next pause would end at 15.
    expect(calls).toHaveLength(4);
  });

  test('work before a further attempt counts as part of it', async () => {
    const { calls, work } = failing(1);
    let prepared = 0;
    const beforeRetry = async (): Promise<void> => {
      prepared += 1;
      if (prepared === 1) throw new Away('still');
    };
    const result = retryWithBackoff({ backoff, beforeRetry }, work);
    expect(await result).toBe('done');
    expect([prepared, calls.length]).toEqual([2, 2]);
  });

  const LONG = { firstMs: 3_600_000, maxMs: 3_600_000 };

  test.each(['before the first attempt', 'in the work', 'in a pause'])(
    'a signal aborted %s ends the retries with its reason',
    async (when) => {
      const ending = new AbortController();
      const reason = new Error('lost');
      const { calls, work } = failing(100);
      if (when === 'before the first attempt') ending.abort(reason);
      // The pause starts after this call.
      const onRetry = (): void => void setImmediate(() => ending.abort(reason));
      const result = retryWithBackoff({ backoff: LONG, signal: ending.signal, onRetry }, () => {
        if (when === 'in the work') ending.abort(reason);
        return work();
      });
      expect(await result.catch((error: unknown) => error)).toBe(reason);
      expect(calls).toHaveLength(when === 'before the first attempt' ? 0 : 1);
    },
  );
});
