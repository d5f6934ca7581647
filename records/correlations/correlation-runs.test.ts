import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { CUSTOMERS, type State } from '#platform/state/port.ts';
import { cleanRecords } from '../erasure/erasures.ts';
import { checkedCollections } from '../testing/checked-collections.ts';
import type { CorrelationRun } from './correlation-run.ts';
import { changePatterns, KEPT_RUNS, noteRun, patternsOfRun, runsAt } from './correlation-runs.ts';

const CUSTOMER = '0190aaaa-0000-7000-8000-0000000000c1';
const NOW = Date.UTC(2026, 0, 1);
const NO_PATTERNS = { patterns: [] };

let folder: string;
let state: State;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'runs-'));
  state = checkedCollections(
    await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: () => NOW }),
  );
  await state.documents.write(CUSTOMER, [{ collection: CUSTOMERS, id: CUSTOMER, value: {} }]);
});
afterEach(async () => {
  await state.close();
  rmSync(folder, { recursive: true });
});

const at = new Date(NOW).toISOString();
const run = (number: number, change: Partial<CorrelationRun> = {}): CorrelationRun => ({
  id: `run-${number.toString().padStart(3, '0')}`,
  status: 'COMPLETED',
  parameters: {
    startDate: at,
    endDate: at,
    sandboxSlug: null,
    windowMinutes: 60,
    minSignals: 3,
    dimensions: ['violation'],
  },
  analyzedSignals: 0,
  totalSignals: 0,
  patternCount: 0,
  patternsLeftOut: 0,
  failure: null,
  createdAt: at,
  updatedAt: at,
  completedAt: at,
  ...change,
});
const note = (one: CorrelationRun, isNew = true) =>
  noteRun(state.documents, CUSTOMER, one, { isNew, patterns: NO_PATTERNS });

test('concurrent runs are all stored, and the oldest ones are deleted with their patterns', async () => {
  await Promise.all(Array.from({ length: KEPT_RUNS + 5 }, (_, number) => note(run(number))));
  const kept = (await runsAt(state.documents, CUSTOMER, NOW)).map(({ id }) => id);
  expect(kept).toHaveLength(KEPT_RUNS);
  expect([...(await state.documents.ids(CUSTOMER, 'correlationPatterns'))].sort()).toEqual(kept.sort());
});

test('a deleted run does not return with a later update', async () => {
  await note(run(0));
  for (let number = 1; number <= KEPT_RUNS; number += 1) await note(run(number));
  expect(await note(run(0), false)).toBe(false);
  expect(await patternsOfRun(state.documents, CUSTOMER, run(0).id)).toBeNull();
  expect(await note(run(1, { patternCount: 7 }), false)).toBe(true);
  expect((await runsAt(state.documents, CUSTOMER, NOW))[0]).toMatchObject({ patternCount: 7 });
});

test('patterns change only as they were read, and stay when nothing changes', async () => {
  await note(run(0));
  const { id } = run(0);
  let reads = 0;
  const left = await changePatterns(state.documents, CUSTOMER, id, async () => {
    reads += 1;
    if (reads === 1) await changePatterns(state.documents, CUSTOMER, id, async () => NO_PATTERNS);
    return NO_PATTERNS;
  });
  expect({ left, reads }).toEqual({ left: NO_PATTERNS, reads: 2 });
  const { version } = (await patternsOfRun(state.documents, CUSTOMER, id))!;
  expect(await changePatterns(state.documents, CUSTOMER, id, async () => null)).toEqual(NO_PATTERNS);
  expect((await patternsOfRun(state.documents, CUSTOMER, id))?.version).toBe(version);
  expect(await changePatterns(state.documents, CUSTOMER, 'other', async () => NO_PATTERNS)).toBeNull();
});

test('runs are deleted with the records of an erased customer', async () => {
  await note(run(0));
  await cleanRecords(state.documents, CUSTOMER);
  expect(await runsAt(state.documents, CUSTOMER, NOW)).toEqual([]);
  expect(await state.documents.ids(CUSTOMER, 'correlationPatterns')).toEqual([]);
});
