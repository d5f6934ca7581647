import { expect, test } from '#jest';
import type { ShownPattern } from '#schemas/api/evidence/correlations.ts';
import { groupByCause } from './group-by-cause.ts';
import { samplePattern } from './testing/sample-run.ts';

/** A pattern on 5 November, with a one-day window by default. */
const pattern = (
  key: string,
  [from, to]: readonly [from: string, to: string],
  change: Partial<ShownPattern> = {},
): ShownPattern =>
  samplePattern({
    key,
    windowStart: '2026-11-05T00:00:00.000Z',
    windowEnd: '2026-11-06T00:00:00.000Z',
    firstSeen: `2026-11-05T${from}:00.000Z`,
    lastSeen: `2026-11-05T${to}:00.000Z`,
    ...change,
  });
const keysOf = (patterns: readonly ShownPattern[]): string[][] =>
  groupByCause(patterns).map((cause) => cause.map(({ key }) => key));

test('one burst of a violation found in three ways is one cause', () => {
  const ways = [
    pattern('violation:SSN', ['05:00', '05:47'], { type: 'BURST' }),
    pattern('violation:SSN', ['05:01', '05:40'], { type: 'CROSS_SANDBOX' }),
    pattern('sandbox:01993d5a/violation:SSN', ['03:00', '21:00'], { type: 'RECURRING' }),
  ];
  expect(groupByCause(ways)).toEqual([ways]);
});

test('different violations, and different times, are different causes', () => {
  expect(
    keysOf([
      pattern('violation:SSN', ['05:00', '05:47']),
      pattern('violation:EMAIL', ['05:00', '05:47']),
      pattern('sandbox:a/violation:SSN', ['09:00', '09:30']),
      pattern('sandbox:b/violation:SSN', ['09:30', '09:40']),
    ]),
  ).toEqual([['violation:SSN'], ['violation:EMAIL'], ['sandbox:a/violation:SSN', 'sandbox:b/violation:SSN']]);
});

test('patterns that share half of their signals have one cause, whatever they concern', () => {
  const signals = (...signalIds: string[]) => ({ signalIds });
  expect(
    keysOf([
      pattern('violation:SSN', ['05:00', '05:47'], signals('a', 'b', 'c', 'd')),
      pattern('level:HIGH', ['05:00', '05:47'], signals('c', 'd', 'e')),
      pattern('cluster:1', ['05:00', '05:47'], signals('d', 'x', 'y')),
      pattern('cluster:2', ['05:00', '05:47'], signals()),
    ]),
  ).toEqual([['violation:SSN', 'level:HIGH'], ['cluster:1'], ['cluster:2']]);
});

test('a pattern that belongs to two causes merges them, in the order of the first', () => {
  expect(
    keysOf([
      pattern('violation:SSN', ['05:00', '05:47']),
      pattern('violation:EMAIL', ['10:00', '10:10']),
      pattern('sandbox:a/violation:SSN', ['09:00', '09:30']),
      pattern('model:m/violation:SSN', ['05:00', '09:10']),
    ]),
  ).toEqual([['violation:SSN', 'sandbox:a/violation:SSN', 'model:m/violation:SSN'], ['violation:EMAIL']]);
});

test('two weeks of rising risk are a separate cause, although they share signals with others', () => {
  const escalation = pattern('sandbox:a', ['00:00', '23:59'], {
    type: 'ESCALATION',
    windowEnd: '2026-11-19T00:00:00.000Z',
    signalIds: ['a'],
  });
  const burst = pattern('violation:SSN', ['05:00', '05:47'], { signalIds: ['a'] });
  expect(groupByCause([escalation, burst])).toEqual([[escalation], [burst]]);
});
