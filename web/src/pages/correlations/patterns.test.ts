import { expect, test } from '#jest';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { filtersOfKey, inParts, measureOf, rowsOf } from './patterns.ts';

test("numbers are shown in the pattern's unit", () => {
  expect(measureOf('BURST', 12.34)).toBe('12.3');
  expect(measureOf('BURST', 12_000)).toBe('12,000');
  expect(measureOf('MODEL_REGRESSION', 0.345)).toBe('34.5 %');
});

test('findings are ordered by score, with runs after them', () => {
  const finding = (id: string, score: number) => ({ id, source: 'STREAM', patterns: [{ score }] });
  const runs = [
    { id: 'run', source: 'RUN', patterns: null },
    finding('low', 0.5),
    finding('high', 0.9),
  ] as unknown as ShownCorrelationRun[];
  expect(rowsOf(runs, 'score').map(({ run }) => run.id)).toEqual(['high', 'low', 'run']);
  expect(rowsOf(runs, 'new').map(({ run }) => run.id)).toEqual(['run', 'low', 'high']);
});

test('a key yields the filters for its signals', () => {
  expect(filtersOfKey('sandbox:1/violation:SSN')).toEqual({ violation: 'SSN' });
  expect(filtersOfKey('model:openai/gpt-4/violation:EMAIL')).toEqual({ violation: 'EMAIL' });
  expect(filtersOfKey('risk:HIGH')).toEqual({ riskLevel: 'HIGH' });
  for (const key of ['violation:NEW', 'risk:elevated', 'shape:abc', ''])
    expect([key, filtersOfKey(key)]).toEqual([key, {}]);
});

test('every signal is in a part, the first in the first part and the last in the last', () => {
  const at = (seconds: number) => ({ createdAt: new Date(seconds * 1_000).toISOString() });
  const parts = inParts([at(100), at(0), at(49), at(51)], 4);
  expect(parts.map((part) => part.length)).toEqual([1, 1, 1, 1]);
  expect(inParts([at(5), at(5)], 3).map((part) => part.length)).toEqual([2, 0, 0]);
  expect(inParts([], 2)).toEqual([[], []]);
});
