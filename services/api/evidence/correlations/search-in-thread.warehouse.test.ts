import { existsSync } from 'node:fs';
import { DAY_MS, DEFAULT_SETTINGS } from '#core/correlate/state/rules.ts';
import { BEGIN_MS, eventful } from '#core/correlate/testing/ledger.ts';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import { SIGNALS } from '#schemas/tables/tables.ts';
import { rowsOf, signalsOf } from '../../testing/correlated-rows.ts';
import { type RealWarehouse, startRealWarehouse } from '../../testing/real-warehouse.ts';
import { type PatternTask, searchHere } from './find-patterns.ts';
import { searchInThread } from './search-in-thread.ts';

const TASK: PatternTask = {
  ...DEFAULT_SETTINGS,
  customerId: '0190aaaa-0000-7000-8000-0000000000c1',
  from: BEGIN_MS + 28 * DAY_MS,
  to: BEGIN_MS + 46 * DAY_MS,
  sandboxSlug: null,
};

let real: RealWarehouse;
beforeAll(async () => {
  const compiled = compiledModule('services/api/evidence/correlations/search-thread.ts');
  if (!existsSync(compiled)) throw new Error('npm run build:test comes first');
  real = await startRealWarehouse();
  await real.insert(SIGNALS, rowsOf(TASK.customerId, signalsOf(eventful(18, 28, 46, 24))));
}, 60_000);
afterAll(() => real.close());

describe('a search in a separate thread', () => {
  test('finds the same as the event loop, and reports its progress', async () => {
    const gone = new AbortController().signal;
    const seen: number[] = [];
    const found = await searchInThread(real.address).run(TASK, {
      gone,
      onProgress: (analyzed) => void seen.push(analyzed),
    });
    expect(found).toEqual(await searchHere(real.warehouse).run(TASK, { gone, onProgress: () => undefined }));
    expect(found.patterns.length).toBeGreaterThan(3);
    expect(seen.at(-1)).toBe(found.analyzedSignals);
    const scores = found.patterns.map(({ finding }) => finding.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  }, 60_000);

  test('ends when it is no longer needed, and the next one gets a new thread', async () => {
    const gone = new AbortController();
    const search = searchInThread(real.address);
    const lost = await search
      .run(TASK, { gone: gone.signal, onProgress: () => gone.abort() })
      .catch((error: unknown) => error);
    expect(isRetryable(lost)).toBe(true);
    const early = search.run(TASK, { gone: AbortSignal.abort(), onProgress: () => undefined });
    await expect(early).rejects.toThrow('the scan for patterns failed');
    const found = await search.run(TASK, {
      gone: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(found.count).toBeGreaterThan(0);
  }, 60_000);

  test('ends alone if it needs more memory than allowed', async () => {
    const gone = new AbortController().signal;
    const failed = searchInThread(real.address, 2 * 2 ** 20).run(TASK, { gone, onProgress: () => undefined });
    await expect(failed).rejects.toMatchObject({ name: 'SearchFailed', reason: 'ThreadGone' });
  }, 60_000);

  test('passes on an error of the engine by its name', async () => {
    const wrong = { ...real.address, database: 'nowhere' };
    const gone = new AbortController().signal;
    const failed = searchInThread(wrong).run(TASK, { gone, onProgress: () => undefined });
    await expect(failed).rejects.toMatchObject({ name: 'SearchFailed', reason: 'WarehouseRejected' });
  }, 60_000);
});
