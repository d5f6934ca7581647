import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import type { State } from '#platform/state/port.ts';
import type { Verification } from '#schemas/api/evidence/hash-chain.ts';
import { createVerificationJobs } from './verification-jobs.ts';

let folder: string;
let state: State;
let now = 0;
beforeEach(async () => {
  now = Date.UTC(2026, 10, 24);
  folder = await mkdtemp(path.join(os.tmpdir(), 'jobs-'));
  state = await openEmbeddedState({
    path: path.join(folder, 'state.mdb'),
    logger: { info() {}, warn() {}, error() {} } as never,
    now: () => now,
  });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const jobsOfProcess = () =>
  createVerificationJobs({
    documents: state.documents,
    now: () => now,
    newId: (at) => v7({ msecs: at }),
    logger: { warn() {} } as never,
  });
const RESULT = { valid: true, checkedEntries: 9 } as unknown as Verification;
type Work = Parameters<ReturnType<typeof jobsOfProcess>['begin']>[1];

/** Work that runs until it is released. */
function held() {
  let letGo = (_: Verification): void => undefined;
  let seen: Parameters<Work['run']>[0] | null = null;
  const job: Work = {
    mode: 'full',
    entries: 10,
    run: (watch) =>
      new Promise((resolve, reject) => {
        seen = watch;
        letGo = resolve;
        watch.gone.addEventListener('abort', () => reject(new Error('given up')));
      }),
  };
  return { job, end: () => letGo(RESULT), watch: () => seen };
}

const until = async <Value>(read: () => Promise<Value | undefined>): Promise<Value> => {
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise(setImmediate);
  }
};

describe('a verification job', () => {
  test('shows its progress and its result in every process', async () => {
    const [jobs, elsewhere] = [jobsOfProcess(), jobsOfProcess()];
    const work = held();
    const { id } = await jobs.begin('c', work.job);
    await until(async () => work.watch() ?? undefined);
    now += 5_000;
    work.watch()!.onProgress!(4);
    const half = await until(async () => {
      const job = await elsewhere.find('c', id);
      return job?.progress === 0.4 ? job : undefined;
    });
    expect(half).toMatchObject({ status: 'RUNNING', checkedEntries: 4, totalEntries: 10, result: null });
    work.end();
    const done = await until(async () => {
      const job = await elsewhere.find('c', id);
      return job?.status === 'COMPLETED' ? job : undefined;
    });
    expect(done).toMatchObject({ progress: 1, result: RESULT, failure: null });
    expect(await elsewhere.find('other', id)).toBeNull();
  });

  test('is shared by all requests while it runs, even on another node', async () => {
    const [jobs, elsewhere] = [jobsOfProcess(), jobsOfProcess()];
    const work = held();
    const { id } = await jobs.begin('c', work.job);
    await until(async () => ((await elsewhere.find('c', id)) === null ? undefined : true));
    expect((await jobs.begin('c', held().job)).id).toBe(id);
    expect((await elsewhere.begin('c', held().job)).id).toBe(id);
    await until(async () => work.watch() ?? undefined);
    await jobs.stop();
    expect(await jobs.find('c', id)).toMatchObject({ status: 'FAILED' });
  });

  test('is reported as failed a minute after its process died, and another can start', async () => {
    const died = jobsOfProcess();
    const { id } = await died.begin('c', held().job);
    const jobs = jobsOfProcess();
    await until(async () => ((await jobs.find('c', id)) === null ? undefined : true));
    now += 60_001;
    expect(await jobs.find('c', id)).toMatchObject({ status: 'FAILED', failure: expect.any(String) });
    expect((await jobs.begin('c', held().job)).id).not.toBe(id);
  });

  test('is refused beyond two at once, and five are kept', async () => {
    const jobs = jobsOfProcess();
    const first = held();
    await jobs.begin('a', first.job);
    await jobs.begin('b', held().job);
    await expect(jobs.begin('c', held().job)).rejects.toMatchObject({ code: 'TOO_MANY_AT_ONCE' });
    await until(async () => first.watch() ?? undefined);
    await jobs.stop();
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { id } = await jobs.begin('c', { mode: 'full', entries: 1, run: async () => RESULT });
      ids.push(id);
      await until(async () => ((await jobs.find('c', id))?.status === 'COMPLETED' ? true : undefined));
    }
    expect(await jobs.find('c', ids[0]!)).toBeNull();
    expect(await jobs.find('c', ids[1]!)).not.toBeNull();
  });
});
