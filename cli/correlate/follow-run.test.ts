import { beforeEach, describe, expect, test } from '#jest';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { type Answer, clientOver, RequestFailed } from '../command/client.ts';
import { type FollowDependencies, followRun, startRun } from './follow-run.ts';
import { RUN_ID, runningRun, sampleRun } from './testing/sample-run.ts';

type Step = ShownCorrelationRun | RequestFailed;

/** Requests, and waits in ms, in order. */
let calls: { readonly request: string; readonly body?: unknown; readonly key?: string | undefined }[];
let waits: number[];
let seen: number[];
beforeEach(() => {
  [calls, waits, seen] = [[], [], []];
});

/** A service that gives these responses in order, and then repeats the last; waits take no time. */
function answering(...steps: Step[]): FollowDependencies {
  let clock = 0;
  const client = clientOver('http://service', async (method, path, body, headers): Promise<Answer> => {
    calls.push({
      request: `${method} ${path}`,
      ...(body === undefined ? {} : { body, key: headers?.['idempotency-key'] }),
    });
    const step = steps.length > 1 ? steps.shift()! : steps[0]!;
    if (step instanceof RequestFailed) throw step;
    return { statusCode: 200, body: { success: true, data: step } as unknown as Answer['body'] };
  });
  return {
    client,
    wait: async (ms) => {
      waits.push(ms);
      clock += ms;
    },
    now: () => clock,
    onRun: ({ progress }) => {
      seen.push(progress);
    },
  };
}

const failed = (statusCode: number | null, code: string | null = null, retryAfter: number | null = null) =>
  new RequestFailed(`${statusCode} ${code}`, statusCode, code, retryAfter);
const REQUEST = { startDate: '2026-11-01', minSignals: 5 };
const start = (dependencies: FollowDependencies) => startRun(dependencies, REQUEST, 'the key');

describe('starting a run', () => {
  test('sends the request with an Idempotency-Key', async () => {
    expect(await start(answering(sampleRun()))).toEqual(sampleRun());
    expect(calls).toEqual([{ request: 'POST /evidence/correlations/detect', body: REQUEST, key: 'the key' }]);
    expect([waits, seen]).toEqual([[], [1]]);
  });

  test('retries a busy service with the same key when it asks for that', async () => {
    const busy = [
      failed(429, 'TOO_MANY_AT_ONCE', 7),
      failed(503, 'UNAVAILABLE'),
      failed(409, 'IDEMPOTENCY_IN_FLIGHT', 2),
    ];
    await start(answering(...busy, sampleRun()));
    expect(waits).toEqual([7_000, 1_000, 2_000]);
    expect(calls.map(({ key }) => key)).toEqual(Array.from({ length: 4 }, () => 'the key'));
  });

  test('gives up on a service that stays busy, with its message', async () => {
    const busy = failed(503, 'UNAVAILABLE', 60);
    await expect(start(answering(busy))).rejects.toBe(busy);
    expect(waits).toEqual([60_000, 60_000, 60_000, 60_000, 60_000]);
  });

  test('does not wait if the requested time exceeds its patience', async () => {
    const tomorrow = failed(429, 'IDEMPOTENCY_BUDGET_REACHED', 86_400);
    await expect(start(answering(tomorrow))).rejects.toBe(tomorrow);
    const odd = failed(429, 'RATE_LIMITED', Number.NaN);
    await expect(start(answering(odd))).rejects.toBe(odd);
    expect(waits).toEqual([]);
  });

  test.each([
    [400, 'INVALID_REQUEST'],
    [401, 'INVALID_KEY'],
    [409, 'CONFLICT'],
    [500, 'INTERNAL'],
    [null, null],
  ])('reports a refusal at once: %s %s', async (statusCode, code) => {
    const refusal = failed(statusCode, code);
    await expect(start(answering(refusal, sampleRun()))).rejects.toBe(refusal);
    expect([calls.length, waits]).toEqual([1, []]);
  });
});

describe('following a run', () => {
  test('polls it less and less often, and shows its progress, until it is complete', async () => {
    const steps = Array.from({ length: 9 }, (_, number) => runningRun(number / 10));
    expect(await followRun(answering(...steps, sampleRun()), runningRun(0))).toEqual(sampleRun());
    expect(new Set(calls.map(({ request }) => request))).toEqual(
      new Set([`GET /evidence/correlations/${RUN_ID}`]),
    );
    expect(waits).toHaveLength(10);
    expect(waits.slice(0, 3)).toEqual([500, 750, 1_125]);
    expect(waits.at(-1)).toBe(5_000);
    expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
    expect(seen).toEqual([...steps.map(({ progress }) => progress), 1]);
  });

  test('does not poll a finished run', async () => {
    const run = sampleRun({ status: 'FAILED', failure: 'too much memory' });
    expect(await followRun(answering(sampleRun()), run)).toBe(run);
    expect(calls).toEqual([]);
  });

  test('ends with a failed run', async () => {
    const run = sampleRun({ status: 'FAILED', failure: 'too much memory', patterns: null });
    expect(await followRun(answering(run), runningRun(0))).toEqual(run);
  });

  test('continues when the service restarts or is busy', async () => {
    const away = [failed(null), failed(502), failed(504), failed(429, 'RATE_LIMITED', 3)];
    expect(await followRun(answering(...away, sampleRun()), runningRun(0.5))).toEqual(sampleRun());
    expect(waits).toEqual([500, 1_000, 1_000, 1_000, 3_000]);
  });

  test('ends when the run is no longer stored', async () => {
    const gone = failed(404, 'NOT_FOUND');
    await expect(followRun(answering(gone), runningRun(0))).rejects.toBe(gone);
  });
});
