import { detect } from '#core/detect/detect.ts';
import { afterAll, describe, expect, test } from '#jest';
import { TasksUnavailable, TaskTimedOut } from '#platform/threads/task-errors.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import { createDetection } from './detection.ts';
import { openAnalysisPool } from './detection-pool.ts';
import type { Searched } from './lists.ts';
import type { ToDetect } from './port.ts';
import { readTasks, writeSearched } from './task-bytes.ts';

const clock = (): number => performance.now();
const neverAborted = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const NO_SETTINGS = {
  allowedValues: [],
  allowedCidrs: [],
  allowedPatterns: [],
  detectorsOff: [],
  minConfidence: [],
};
const asked = (text: string, change: Partial<ToDetect> = {}): ToDetect => ({
  customerId: 'alice',
  texts: [
    { source: 'prompt', text },
    { source: 'response', text: 'Done, jane.roe@example.com.' },
  ],
  customRules: [],
  ...change,
});

test('one thread means the analyzer’s own', () => {
  const settings = { detection: { threads: 1, analysisThreads: 1, timeoutMs: 1, warmUp: false } };
  expect(openAnalysisPool(settings, { add: () => undefined })).toBeNull();
});

describe('in real threads', () => {
  const stops: (() => Promise<void> | void)[] = [];
  const settings = { detection: { threads: 1, analysisThreads: 2, timeoutMs: 120_000, warmUp: false } };
  const lists = openAnalysisPool(settings, { add: (_, stop) => void stops.push(stop) });
  afterAll(() => Promise.all(stops.map((stop) => stop())));

  test('the matches are the same as on the loop, in the order of the audits', async () => {
    const audits = [
      ...Array.from({ length: 100 }, (_, at) => asked(`Card 4111 1111 1111 1111, call ${at} of 100. \ud83d`)),
      asked('Project Nightjar pays jo.bloggs@example.com', {
        customRules: ['project nightjar', '/[45]\\d{2}-\\d+/'],
        settings: { ...NO_SETTINGS, allowedValues: ['jo.bloggs@example.com'] },
      }),
      asked(''),
    ];
    const [there, here] = await Promise.all(
      [lists, null].map(async (some) => {
        const detection = createDetection({ tasks: null, lists: some, clock });
        const all = await detection.detectAll(audits, neverAborted);
        return all.map((one) => (one.status === 'fulfilled' ? { ...one.value, durationMs: 0 } : one));
      }),
    );
    expect(there).toEqual(here);
    expect(there).toMatchObject([{ matches: detect(audits[0]!.texts) }, ...Array(101).fill({})]);
  });
});

/** Lists that a test answers by hand. */
function pendingLists(threads: number) {
  const pending: {
    readonly asked: readonly string[];
    readonly answer: () => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const run: Tasks['run'] = (bytes) =>
    new Promise((resolve, reject) => {
      const audits = readTasks(bytes);
      const searched: Searched = {
        found: audits.map(({ texts }) => ({ matches: detect(texts), suppressed: [] })),
        durationMs: 1,
      };
      pending.push({
        asked: audits.map(({ texts }) => texts[0]!.text),
        answer: () => resolve(writeSearched(searched)),
        fail: reject,
      });
    });
  const detection = createDetection({
    tasks: null,
    lists: { tasks: { run }, threads },
    list: { audits: 2, weight: 10_000, inOneTurn: false },
    clock,
  });
  return { held: pending, detection };
}
const statusOf = (all: readonly PromiseSettledResult<unknown>[]): string[] => all.map(({ status }) => status);

test('each thread has one list in progress, and one more waits', async () => {
  const { held: pending, detection } = pendingLists(2);
  const all = detection.detectAll(
    Array.from({ length: 10 }, (_, at) => asked(`${at}`)),
    neverAborted,
  );
  await turn();
  await turn();
  expect(pending.map((one) => one.asked)).toEqual([
    ['0', '1'],
    ['2', '3'],
    ['4', '5'],
  ]);
  for (let at = 0; at < 5; at += 1) {
    pending[at]!.answer();
    while (at < 4 && pending[at + 1] === undefined) await turn();
  }
  expect(statusOf(await all)).toEqual(Array(10).fill('fulfilled'));
});

test('a list that times out is searched audit by audit, and only one fails', async () => {
  const { held: pending, detection } = pendingLists(1);
  const all = detection.detectAll([asked('fair'), asked('deadly')], neverAborted);
  await turn();
  await turn();
  pending[0]!.fail(new TaskTimedOut(7));
  while (pending[1] === undefined) await turn();
  pending[1].answer();
  while (pending[2] === undefined) await turn();
  pending[2].fail(new TaskTimedOut(7));
  const [fair, deadly] = await all;
  expect(pending.map((one) => one.asked)).toEqual([['fair', 'deadly'], ['fair'], ['deadly']]);
  expect(fair).toMatchObject({ status: 'fulfilled' });
  expect(deadly).toMatchObject({ status: 'rejected', reason: { name: 'TaskTimedOut' } });
});

test('aborted audits of a failed list are not searched again', async () => {
  const { held: pending, detection } = pendingLists(1);
  const lost = new AbortController();
  const all = detection.detectAll([asked('a'), asked('b')], lost.signal);
  await turn();
  await turn();
  lost.abort(new Error('the partition is lost'));
  pending[0]!.fail(new TaskTimedOut(7));
  expect(statusOf(await all)).toEqual(['rejected', 'rejected']);
  expect(pending).toHaveLength(1);
});

test('without threads all requests fail as an outage', async () => {
  const { held: pending, detection } = pendingLists(1);
  const all = detection.detectAll([asked('a'), asked('b')], neverAborted);
  await turn();
  await turn();
  pending[0]!.fail(new TasksUnavailable('threads fail to start'));
  expect((await all).map((one) => (one.status === 'rejected' ? one.reason.name : one.status))).toEqual([
    'TasksUnavailable',
    'TasksUnavailable',
  ]);
  expect(pending).toHaveLength(1);
});

test('an aborted audit is not started', async () => {
  const { held: pending, detection } = pendingLists(1);
  const lost = new AbortController();
  const all = detection.detectAll([asked('a')], lost.signal);
  lost.abort(new Error('the partition is lost'));
  expect(await all).toMatchObject([{ status: 'rejected', reason: { message: 'the partition is lost' } }]);
  expect(pending).toHaveLength(0);
});
