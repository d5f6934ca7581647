import { describe, expect, test } from '#jest';
import { FINDING_SOURCES } from '#schemas/vocabulary.ts';
import { type DetectParameters, detect, startRun } from './detect.ts';
import type { CorrelatedSignal } from './state/entries.ts';
import { DAY_MS, DEFAULT_SETTINGS, HOUR_MS } from './state/rules.ts';
import { BEGIN_MS, type Draft, draftAt, entriesOf, pastOf, SIMILARITY } from './testing/ledger.ts';

const START = BEGIN_MS + 28 * DAY_MS;
const PARAMETERS: DetectParameters = {
  ...DEFAULT_SETTINGS,
  customerId: 'c',
  startDate: START,
  endDate: START + 2 * DAY_MS,
  sandboxSlug: null,
  similarity: SIMILARITY,
};
const HISTORY = pastOf(
  Array.from({ length: 28 }, (_, day) => draftAt(BEGIN_MS + day * DAY_MS, { violations: ['SSN'] })),
  BEGIN_MS,
  START,
);
const SIGNALS = entriesOf(
  Array.from({ length: 20 }, (_, index) =>
    draftAt(START + 5 * HOUR_MS + index, { violations: ['SSN'], sandboxSlug: 'help-desk' }),
  ),
);

describe('a run over history', () => {
  test('finds all patterns, including those with late signals', () => {
    const late = SIGNALS.map((signal) => ({ ...signal, acceptedAt: signal.createdAt + 9 * DAY_MS }));
    const { findings, analyzedSignals } = detect(PARAMETERS, HISTORY, late);
    expect(analyzedSignals).toBe(20);
    expect(FINDING_SOURCES).toContain(findings[0]?.source);
    expect(findings).toMatchObject([
      { type: 'BURST', source: 'RUN', status: 'CLOSED', count: 20, version: 19 },
    ]);
  });

  test('only covers the given sandbox, in any spelling of its slug, and the range', () => {
    const seen = (given: Partial<DetectParameters>): number =>
      detect({ ...PARAMETERS, ...given }, HISTORY, SIGNALS).analyzedSignals;
    expect(seen({ sandboxSlug: 'help_desk' })).toBe(20);
    expect(seen({ sandboxSlug: 'sales' })).toBe(0);
    expect(seen({ endDate: START + 5 * HOUR_MS + 7 })).toBe(7);
    expect(seen({ startDate: START + 5 * HOUR_MS + 7 })).toBe(13);
  });

  test('needs a history, and does not take counts within the range for one', () => {
    expect(detect(PARAMETERS, { hours: [], shapes: [] }, SIGNALS).findings).toEqual([]);
    const inRange = {
      ...HISTORY,
      hours: [...HISTORY.hours].map((group) => ({
        ...group,
        hours: group.hours.map((hour) => hour + 28 * 24),
      })),
    };
    expect(detect(PARAMETERS, inRange, SIGNALS).findings).toEqual([]);
    // Its first hour is a day before this burst and would be part of its baseline.
    const burst = entriesOf(
      Array.from({ length: 20 }, (_, index) => draftAt(START + DAY_MS + index, { violations: ['SSN'] })),
    );
    const both = { ...HISTORY, hours: [...HISTORY.hours, ...inRange.hours] };
    const { findings } = detect(PARAMETERS, both, burst);
    expect(findings).toEqual(detect(PARAMETERS, HISTORY, burst).findings);
    expect(findings).toHaveLength(1);
  });

  test('accepts signals day by day, in index order within a day, and rejects any other order', () => {
    const [later, early] = [{ ...SIGNALS[0]!, createdAt: START + DAY_MS }, SIGNALS[1]!];
    const take = (signals: readonly CorrelatedSignal[]) => () =>
      startRun(PARAMETERS).addSignals(signals.map((signal) => ({ ...signal, count: 1 })));
    expect(take([early, later])).not.toThrow();
    expect(take([later, early])).toThrow('grouped by day');
    expect(take(SIGNALS.toReversed())).toThrow('sorted by index');
  });

  test('accepts several signals as one when only their number matters', () => {
    const [plain, violating] = [draftAt(START), draftAt(START, { violations: ['SSN'] })];
    const several = (draft: Draft, count: number) => () => {
      const run = startRun(PARAMETERS);
      run.addSignals([{ ...draft, index: 0, id: 'audit-0', count }]);
      return run.analyzedSignals;
    };
    expect(several(plain, 7)()).toBe(7);
    expect(several(violating, 1)()).toBe(1);
    expect(several(violating, 2)).toThrow(RangeError);
    expect(several({ ...plain, riskLevel: 'HIGH' }, 2)).toThrow(RangeError);
  });

  test('rejects invalid settings and shapes', () => {
    const shape = { day: START, code: 'SSN', shape: 64, count: 1 };
    expect(() => startRun(PARAMETERS).countShapes([shape])).toThrow(RangeError);
    expect(() => detect({ ...PARAMETERS, windowMinutes: 0 }, HISTORY, SIGNALS)).toThrow(RangeError);
  });
});
