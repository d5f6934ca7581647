import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { CUSTOMERS } from '#platform/state/port.ts';
import { WarehouseLimitExceeded } from '#platform/warehouse/port.ts';
import { KEPT_RUNS } from '#records/correlations/correlation-runs.ts';
import { type Answered, type Harness, startHarness, type TestCustomer } from '../../testing/harness.ts';
import type { FoundPatterns, PatternSearch, PatternTask, SearchWatch } from './find-patterns.ts';
import { SearchFailed } from './search-in-thread.ts';

/** Runs that outlast their client's wait, with searches that end on the test's command. */

interface Held {
  readonly task: PatternTask;
  readonly watch: SearchWatch;
  end(found: FoundPatterns): void;
  fail(error: unknown): void;
}

const NOTHING: FoundPatterns = { analyzedSignals: 0, count: 0, patterns: [] };

let harness: Harness;
let customer: TestCustomer;
let held: Held[];

/** Fails when given up, as a thread does. */
const search: PatternSearch = {
  run: (task, watch) =>
    new Promise((end, fail) => {
      held.push({ task, watch, end, fail });
      watch.gone.addEventListener('abort', () => fail(new SearchFailed('ThreadGone', 'given up')));
    }),
};

beforeEach(async () => {
  held = [];
  harness = await startHarness({ dependencies: { patternSearch: search, patternAnswerMs: 0 } });
  customer = await harness.customer();
});
afterEach(() => harness.close());

const ask = (by = customer, payload: object = {}): Promise<Answered> =>
  harness.call({ method: 'POST', url: '/evidence/correlations/detect', headers: by.headers, payload });
const read = async (id: string, by = customer) =>
  (await harness.call({ url: `/evidence/correlations/${id}`, headers: by.headers })).body.data;
/** Waits until the run has left that status. */
async function ended(id: string, by = customer) {
  for (;;) {
    const shown = await read(id, by);
    if (shown.status !== 'RUNNING') return shown;
    await new Promise(setImmediate);
  }
}

describe('a run that takes longer than its client waits', () => {
  test('answers RUNNING and continues', async () => {
    const started = await ask(customer, { minSignals: 7 });
    expect([started.status, started.body.data]).toMatchObject([
      201,
      { status: 'RUNNING', progress: 0, patterns: null, patternCount: null, completedAt: null },
    ]);
    expect(held[0]!.task).toMatchObject({ customerId: customer.id, minSignals: 7, sandboxSlug: null });
    held[0]!.end(NOTHING);
    const { id } = started.body.data;
    expect(await ended(id)).toMatchObject({
      status: 'COMPLETED',
      progress: 1,
      patterns: [],
      patternCount: 0,
    });
  });

  test('is shown under its Idempotency-Key with its current status', async () => {
    const headers = { ...customer.headers, 'idempotency-key': 'long' };
    const first = await ask({ ...customer, headers });
    held[0]!.end(NOTHING);
    await ended(first.body.data.id);
    const again = await ask({ ...customer, headers });
    expect(again.body.data).toMatchObject({ id: first.body.data.id, status: 'COMPLETED' });
    expect(held).toHaveLength(1);
  });

  test('has failed when its process has been silent for a minute', async () => {
    const { id } = (await ask()).body.data;
    harness.skew = 59_000;
    expect(await read(id)).toMatchObject({ status: 'RUNNING' });
    harness.skew = 61_000;
    expect(await read(id)).toMatchObject({
      status: 'FAILED',
      failure: 'its process stopped before it finished',
    });
  });

  test('is given up when the service stops, and reports it', async () => {
    const { id } = (await ask()).body.data;
    await harness.app.close();
    const ref = { scope: customer.id, collection: 'correlationRuns', id: customer.id };
    const stored = await harness.state.documents.get<{ runs: object[] }>(ref);
    expect(stored!.value.runs).toMatchObject([
      { id, status: 'FAILED', failure: 'the service was stopped; start the scan again' },
    ]);
  });

  test.each([
    ['a limit', new SearchFailed(WarehouseLimitExceeded.name, 'too many rows'), 'choose a shorter range'],
    ['a lost thread', new SearchFailed('ThreadGone', 'gone'), 'out of memory'],
    ['anything else', new Error('a secret of somebody'), 'a dependency failed'],
  ])('reports its failure in fixed texts: %s', async (_, error, said) => {
    const { id } = (await ask()).body.data;
    held[0]!.fail(error);
    const { status, failure, patterns } = await ended(id);
    expect([status, failure, patterns]).toEqual(['FAILED', expect.stringContaining(said), null]);
    expect(failure).not.toContain('secret');
  });
});

describe('concurrent runs', () => {
  test('are limited to one per process; the others run later', async () => {
    const other = await harness.customer();
    const mine = (await ask()).body.data;
    for (const by of [customer, other]) {
      const { status, body, headers } = await ask(by);
      expect([status, body.code, headers['retry-after']]).toEqual([429, 'TOO_MANY_AT_ONCE', '5']);
    }
    held[0]!.end(NOTHING);
    await ended(mine.id);
    expect((await ask(other)).status).toBe(201);
  });

  test('of a customer in another process count too, until that is silent', async () => {
    const other = await startHarness({
      dependencies: { ...harness.dependencies, patternSearch: search, patternAnswerMs: 0 },
    });
    await ask();
    const url = '/evidence/correlations/detect';
    const there = () => other.call({ method: 'POST', url, headers: customer.headers, payload: {} });
    expect((await there()).body.code).toBe('TOO_MANY_AT_ONCE');
    harness.skew = 61_000;
    expect((await there()).status).toBe(201);
    await other.close();
  });
});

test('only the newest runs are kept, and older ones are removed with their patterns', async () => {
  const ids: string[] = [];
  for (let count = 0; count < KEPT_RUNS + 2; count += 1) {
    const { id } = (await ask()).body.data;
    ids.push(id);
    held.at(-1)!.end(NOTHING);
    await ended(id);
  }
  const url = '/evidence/correlations?limit=100';
  const list = (await harness.call({ url, headers: customer.headers })).body.data;
  expect(list.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2).reverse());
  const patterns = await harness.state.documents.ids(customer.id, 'correlationPatterns');
  expect([...patterns].sort()).toEqual(ids.slice(2).sort());
});

test('nothing is written for a customer whose erasure has started', async () => {
  await ask();
  const ref = { scope: customer.id, collection: CUSTOMERS, id: customer.id };
  const stored = (await harness.state.documents.get<object>(ref))!.value;
  const value = { ...stored, erasure: { status: 'IN_PROGRESS', requestedAt: '2026-01-01T00:00:00.000Z' } };
  await harness.state.documents.write(customer.id, [
    { collection: CUSTOMERS, id: customer.id, value },
    { collection: 'correlationRuns', id: customer.id, value: null },
  ]);
  held[0]!.end(NOTHING);
  await harness.app.close();
  expect(await harness.state.documents.ids(customer.id, 'correlationRuns')).toEqual([]);
  expect(await harness.state.documents.ids(customer.id, 'correlationPatterns')).toEqual([]);
});
