import { beforeEach, describe, expect, test } from '#jest';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { type Answer, clientOver, RequestFailed } from '../command/client.ts';
import { beginRun, type FollowDependencies, followRun } from './follow-run.ts';
import { RUN_ID, runningRun, sampleRun } from './testing/sample-run.ts';

type Step = ShownCorrelationRun | RequestFailed;

/** Requests, and waits in ms, in their order. */
let calls: { readonly request: string; readonly body?: unknown; readonly key?: string | undefined }[];
let waits: number[];
let seen: number[];
beforeEach(() => {
  [calls, waits, seen] = [[], [], []];
});

/** A service that answers so, one after the other, and then the last again and again; waits take no time. */
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
const ASKED = { startDate: '2026-11-01', minSignals: 5 };
const begin = (dependencies: FollowDependencies) => beginRun(dependencies, ASKED, 'the key');

describe('beginning a run', () => {
  test('sends what is asked for under an Idempotency-Key', async () => {
    expect(await begin(answering(sampleRun()))).toEqual(sampleRun());
    expect(calls).toEqual([{ request: 'POST /evidence/correlations/detect', body: ASKED, key: 'the key' }]);
    expect([waits, seen]).toEqual([[], [1]]);
  });

  test('asks a busy service again, under the same key, when it says', async () => {
    const busy = [
      failed(429, 'TOO_MANY_AT_ONCE', 7),
      failed(503, 'UNAVAILABLE'),
      failed(409, 'IDEMPOTENCY_IN_FLIGHT', 2),
    ];
    await begin(answering(...busy, sampleRun()));
    expect(waits).toEqual([7_000, 1_000, 2_000]);
    expect(calls.map(({ key }) => key)).toEqual(Array.from({ length: 4 }, () => 'the key'));
  });

  test('gives up a service that stays busy, in its own words', async () => {
    const busy = failed(503, 'UNAVAILABLE', 60);
    await expect(begin(answering(busy))).rejects.toBe(busy);
    expect(waits).toEqual([60_000, 60_000, 60_000, 60_000, 60_000]);
  });

  test('does not wait for what no patience is enough for', async () => {
    const tomorrow = failed(429, 'IDEMPOTENCY_BUDGET_REACHED', 86_400);
    await expect(begin(answering(tomorrow))).rejects.toBe(tomorrow);
    const odd = failed(429, 'RATE_LIMITED', Number.NaN);
    await expect(begin(answering(odd))).rejects.toBe(odd);
    expect(waits).toEqual([]);
  });

  test.each([
    [400, 'INVALID_REQUEST'],
    [401, 'INVALID_KEY'],
    [409, 'CONFLICT'],
    [500, 'INTERNAL'],
    [null, null],
  ])('tells a refusal at once: %s %s', async (statusCode, code) => {
    const refusal = failed(statusCode, code);
    await expect(begin(answering(refusal, sampleRun()))).rejects.toBe(refusal);
    expect([calls.length, waits]).toEqual([1, []]);
  });
});

describe('following a run', () => {
  test('looks at it less and less often, and shows how far it is, until it is complete', async () => {
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

  test('asks nothing of one that has ended', async () => {
    const run = sampleRun({ status: 'FAILED', failure: 'too much memory' });
    expect(await followRun(answering(sampleRun()), run)).toBe(run);
    expect(calls).toEqual([]);
  });

  test('ends with one that failed', async () => {
    const run = sampleRun({ status: 'FAILED', failure: 'too much memory', patterns: null });
    expect(await followRun(answering(run), runningRun(0))).toEqual(run);
  });

  test('outlives a restart of the service, and its being busy', async () => {
    const away = [failed(null), failed(502), failed(504), failed(429, 'RATE_LIMITED', 3)];
    expect(await followRun(answering(...away, sampleRun()), runningRun(0.5))).toEqual(sampleRun());
    expect(waits).toEqual([500, 1_000, 1_000, 1_000, 3_000]);
  });

  test('ends when the run is not kept any more', async () => {
    const gone = failed(404, 'NOT_FOUND');
    await expect(followRun(answering(gone), runningRun(0))).rejects.toBe(gone);
  });
});
