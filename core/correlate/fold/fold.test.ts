import { describe, expect, test } from '#jest';
import type { Finding } from '../finding.ts';
import type { CorrelatedEntry } from '../state/entries.ts';
import {
  DAY_MS,
  DEFAULT_SETTINGS,
  HOUR_MS,
  MAX_KEPT_FINDINGS,
  MAX_KEYS,
  MAX_OPEN_SHAPES,
  MAX_OPEN_WINDOWS,
} from '../state/rules.ts';
import { BEGIN_MS, type Draft, draftAt, entriesOf, SIMILARITY } from '../testing/ledger.ts';
import { type CorrelationFold, createFold, restoreFold } from './fold.ts';

const OPTIONS = { customerId: '0190ffff-0000-7000-8000-00000000000c', similarity: SIMILARITY };
/** Two weeks of one SSN a day, at noon. */
const HISTORY = Array.from({ length: 14 }, (_, day) =>
  draftAt(BEGIN_MS + day * DAY_MS + 12 * HOUR_MS, { violations: ['SSN'] }),
);
const NOW = BEGIN_MS + 14 * DAY_MS + 6 * HOUR_MS;
const burst = (count: number, at = NOW, given: Partial<Draft> = {}): Draft[] =>
  Array.from({ length: count }, (_, index) => draftAt(at + index * 1_000, { violations: ['SSN'], ...given }));

const findingsOf = (fold: CorrelationFold, entries: readonly CorrelatedEntry[]): Finding[] =>
  fold.fold(entries).map(({ finding }) => finding);

/** Folds drafts after the entries that it already has. */
function feed(fold: CorrelationFold, drafts: readonly Draft[]): Finding[] {
  return findingsOf(fold, entriesOf(drafts, fold.next));
}

function started(): CorrelationFold {
  const fold = createFold(OPTIONS);
  expect(feed(fold, HISTORY)).toEqual([]);
  return fold;
}

const erasureOf = (
  fold: CorrelationFold,
  from: number,
  to: number,
  scope: 'ALL' | 'DETAIL' = 'ALL',
): CorrelatedEntry => ({ kind: 'ERASURE', index: fold.next, ranges: [[from, to]], scope, closing: false });

const closeAll = (fold: CorrelationFold): Finding[] => feed(fold, [draftAt(NOW + 40 * DAY_MS)]);

describe('a burst', () => {
  test('is reported once it qualifies, again as it grows, and when its window closes', () => {
    const fold = started();
    const changed = feed(fold, burst(30));
    expect(new Set(changed.map(({ id }) => id)).size).toBe(1);
    expect(changed.length).toBeGreaterThan(2);
    expect(changed.length).toBeLessThan(10);
    expect(changed[0]).toMatchObject({
      id: 'c5f95c52-f482-859f-a1f0-fbe5340d5500',
      type: 'BURST',
      key: 'violation:SSN',
      status: 'OPEN',
      source: 'STREAM',
      windowStart: NOW,
      windowMs: HOUR_MS,
      firstSeen: NOW,
      riskLevel: 'LOW',
      test: 'negative binomial tail',
    });
    const first = changed[0]!;
    expect(first.version).toBe(HISTORY.length + first.count - 1);
    expect(first.signalIds).toHaveLength(first.count);
    expect(first.score).toBeGreaterThanOrEqual(0.5);
    const [closed, ...others] = closeAll(fold);
    expect(others).toEqual([]);
    expect(closed).toMatchObject({ id: first.id, status: 'CLOSED', count: 30, observed: 30, version: 44 });
    expect(closed!.lastSeen).toBe(NOW + 29_000);
    expect(closed!.description).toMatch(
      /^30 signals with SSN in an hour; normally about 0\.\d+ at this hour/,
    );
  });

  test('keeps the time of its first report, and includes the indexes of its signals', () => {
    const fold = started();
    const reported = fold.fold(entriesOf(burst(30), fold.next));
    const closed = fold.fold(entriesOf([draftAt(NOW + 40 * DAY_MS)], fold.next)).at(-1)!;
    const foundAt = reported[0]!.finding.lastSeen;
    expect([...reported, closed].map((one) => one.foundAt)).toEqual([...reported, closed].map(() => foundAt));
    expect(reported.map((one) => one.changedAt)).toEqual(reported.map(({ finding }) => finding.lastSeen));
    expect(closed.changedAt).toBe(NOW + 40 * DAY_MS);
    expect(closed.members.map(({ id }) => id)).toEqual(closed.finding.signalIds);
    expect(closed.members[0]).toMatchObject({ index: HISTORY.length, at: NOW });
    expect(closed.settings).toEqual(DEFAULT_SETTINGS);
  });

  test('names a hundred signals and counts all of them', () => {
    const fold = started();
    feed(fold, burst(150));
    const closed = closeAll(fold).find(({ type }) => type === 'BURST')!;
    expect([closed.count, closed.signalIds.length, closed.signalIds[0]]).toEqual([150, 100, 'audit-14']);
  });

  test('is not reported within a week of the first signal, however large', () => {
    const fold = createFold(OPTIONS);
    feed(fold, HISTORY.slice(0, 5));
    const early = feed(fold, burst(200, BEGIN_MS + 6 * DAY_MS)).concat(closeAll(fold));
    expect(early.filter(({ type }) => type === 'BURST')).toEqual([]);
  });
});

describe('a violation with prompts of one shape', () => {
  /** Every fourth one is an unrelated text. */
  const day = (of: number, given: Partial<Draft> = {}): Draft[] =>
    Array.from({ length: 24 }, (_, hour) =>
      draftAt(BEGIN_MS + of * DAY_MS + hour * HOUR_MS, {
        sandboxId: `sandbox-${hour % 8}`,
        violations: ['EMAIL'],
        fingerprint: (hour % 4 === 3 ? (hour * 11).toString(16) : 'ab').padStart(2, '0').padEnd(64, '0'),
        ...given,
      }),
    );
  const shapes = (found: readonly Finding[]): Finding[] =>
    found.filter(({ key }) => key.startsWith('shape:'));

  test('is found when it keeps coming throughout a day', () => {
    const fold = started();
    const [first] = shapes(feed(fold, day(16)));
    expect(first).toMatchObject({ type: 'RECURRING', key: 'shape:2a/violation:EMAIL', status: 'OPEN' });
    const [closed, ...others] = shapes(closeAll(fold));
    expect(others).toEqual([]);
    expect(closed).toMatchObject({ id: first!.id, status: 'CLOSED', count: 18 });
    expect(closed!.description).toMatch(
      /^EMAIL recurs in prompts of one shape \(2a\): 18 signals in 18 hours of the day/,
    );
  });

  test('is not reported where it is usual', () => {
    const fold = started();
    for (let of = 16; of < 44; of += 1) feed(fold, day(of));
    expect(shapes(feed(fold, day(44)).concat(closeAll(fold)))).toEqual([]);
  });

  test('is not reported without a fingerprint, or when violations are not correlated', () => {
    const fold = started();
    expect(shapes(feed(fold, day(16, { fingerprint: null })).concat(closeAll(fold)))).toEqual([]);
    const blind = started();
    const settings = { ...DEFAULT_SETTINGS, dimensions: ['sandbox', 'model', 'provider'] as const };
    findingsOf(blind, [{ kind: 'SETTINGS', index: blind.next, settings }]);
    expect(shapes(feed(blind, day(16)).concat(closeAll(blind)))).toEqual([]);
  });

  test('loses signals whose detail is erased', () => {
    const fold = started();
    feed(fold, day(16));
    const from = fold.next - 24;
    const [changed, ...others] = findingsOf(fold, [erasureOf(fold, from, from + 2, 'DETAIL')]);
    expect([changed?.key, others]).toEqual(['shape:2a/violation:EMAIL', []]);
    expect(changed!.description).toMatch(/3 of them were erased since\.$/);
    expect(shapes(closeAll(fold))).toMatchObject([{ status: 'CLOSED', count: 15 }]);
  });

  test('is tracked for a limited number of shapes at a time, and for others once those are closed', () => {
    const fold = started();
    const shape = (index: number): string => ((index % 64) * 4).toString(16).padStart(2, '0').padEnd(64, '0');
    const many = Array.from({ length: MAX_OPEN_SHAPES + 64 }, (_, index) =>
      draftAt(NOW + index, { violations: [`CODE_${Math.floor(index / 64)}`], fingerprint: shape(index) }),
    );
    feed(fold, many);
    const open = (): number =>
      fold.snapshot().keys.codes.reduce((sum, [, , , shapes]) => sum + shapes.length, 0);
    expect(open()).toBe(MAX_OPEN_SHAPES);
    closeAll(fold);
    expect(open()).toBe(0);
  });
});

describe('late signals', () => {
  test('are ignored when accepted more than an hour late, or when their window is closed', () => {
    const fold = started();
    const at = NOW + 5 * HOUR_MS;
    expect(feed(fold, burst(40, NOW, { acceptedAt: at }))).toEqual([]);
    expect(fold.late).toBe(40);
    // Accepted at once, but read after a signal that was accepted an hour and a millisecond after their window's end.
    feed(fold, [draftAt(at, { acceptedAt: at + 2 * HOUR_MS + 1 })]);
    const before = fold.late;
    findingsOf(fold, entriesOf(burst(3, at), fold.next));
    expect(fold.late - before).toBe(3);
  });

  test('exclude signals accepted within an hour', () => {
    const fold = started();
    feed(fold, burst(10, NOW, { acceptedAt: NOW + HOUR_MS }));
    expect(fold.late).toBe(0);
  });

  test('still reach a window up to an hour after its end, and no longer', () => {
    const end = NOW + HOUR_MS;
    const fold = started();
    feed(fold, burst(30));
    expect(feed(fold, [draftAt(end + HOUR_MS)])).toEqual([]);
    expect(feed(fold, [draftAt(end + HOUR_MS + 1)]).map(({ status }) => status)).toEqual(['CLOSED']);
  });
});

describe('an erased signal', () => {
  test('leaves an open finding, and the counts of its window', () => {
    const fold = started();
    feed(fold, burst(30));
    const [changed] = findingsOf(fold, [erasureOf(fold, 14, 20)]);
    expect(changed).toMatchObject({ status: 'OPEN', version: 44 });
    expect(changed!.signalIds).not.toContain('audit-14');
    expect(changed!.firstSeen).toBe(NOW + 7_000);
    expect(changed!.description).toMatch(/7 of them were erased since\.$/);
    expect(closeAll(fold)[0]).toMatchObject({ status: 'CLOSED', count: 23, firstSeen: NOW + 7_000 });
  });

  test('leaves a closed finding, which is retracted below the minimum and then dropped', () => {
    const fold = started();
    feed(fold, burst(30));
    closeAll(fold);
    expect(findingsOf(fold, [erasureOf(fold, 14, 40)])).toMatchObject([{ status: 'CLOSED', count: 3 }]);
    expect(findingsOf(fold, [erasureOf(fold, 41, 41)])).toMatchObject([{ status: 'RETRACTED', count: 2 }]);
    expect(findingsOf(fold, [erasureOf(fold, 42, 43)])).toEqual([]);
  });

  test('removes a finding that depends on it when the window closes', () => {
    const fold = started();
    feed(fold, burst(30));
    findingsOf(fold, [erasureOf(fold, 14, 39)]);
    expect(closeAll(fold)).toMatchObject([{ status: 'RETRACTED' }]);
  });

  test('only leaves campaigns if just its detail is erased', () => {
    const fold = started();
    const fingerprint = '0123456789abcdef'.repeat(4);
    const changed = feed(fold, burst(30, NOW, { violations: ['PROMPT_INJECTION'], fingerprint }));
    expect(new Set(changed.map(({ type }) => type))).toEqual(new Set(['BURST', 'CAMPAIGN']));
    expect(findingsOf(fold, [erasureOf(fold, 14, 15, 'DETAIL')])).toMatchObject([{ type: 'CAMPAIGN' }]);
  });

  test('is ignored at or above the index of its ERASURE', () => {
    const fold = started();
    feed(fold, burst(30));
    const index = fold.next;
    expect(findingsOf(fold, [{ ...erasureOf(fold, index, index + 50), index }])).toEqual([]);
    expect(feed(fold, burst(20, NOW + 60_000)).at(-1)!.count).toBeGreaterThan(30);
  });

  test('ends all findings when the whole customer is erased', () => {
    const fold = started();
    findingsOf(fold, [{ kind: 'ERASURE', index: fold.next, ranges: [], scope: 'ALL', closing: true }]);
    expect(feed(fold, burst(90)).concat(closeAll(fold))).toEqual([]);
  });
});

describe('settings', () => {
  const set = (fold: CorrelationFold, given: Partial<typeof DEFAULT_SETTINGS>): Finding[] =>
    findingsOf(fold, [{ kind: 'SETTINGS', index: fold.next, settings: { ...DEFAULT_SETTINGS, ...given } }]);

  test('apply from their index, and a changed length closes the open windows', () => {
    const fold = started();
    feed(fold, burst(30));
    expect(set(fold, { minSignals: 5 })).toEqual([]);
    expect(set(fold, { windowMinutes: 30 })).toMatchObject([{ status: 'CLOSED', windowMs: HOUR_MS }]);
    // The hour accepts no more signals, whatever the length of its windows.
    expect(feed(fold, burst(30, NOW + 60_000))).toEqual([]);
    set(fold, { windowMinutes: 60 });
    expect(feed(fold, burst(30, NOW + 120_000))).toEqual([]);
    expect(feed(fold, burst(30, NOW + HOUR_MS)).at(-1)).toMatchObject({ windowStart: NOW + HOUR_MS });
  });

  test('suppress findings below the minimum number of signals, or without the violation dimension', () => {
    for (const given of [{ minSignals: 31 }, { dimensions: ['sandbox'] as const }]) {
      const fold = started();
      set(fold, given);
      expect(feed(fold, burst(30)).concat(closeAll(fold))).toEqual([]);
    }
  });

  test.each([{ windowMinutes: 4 }, { windowMinutes: 1_441 }, { windowMinutes: 7.5 }, { minSignals: 1 }])(
    '%j is rejected',
    (given) => {
      expect(() => set(started(), given)).toThrow(RangeError);
    },
  );
});

describe('a snapshot', () => {
  test('of other rules is rejected', () => {
    const snapshot = started().snapshot();
    expect(restoreFold(OPTIONS, { ...snapshot, rules: snapshot.rules + 1 })).toBeNull();
  });

  test('resumes where it was taken', () => {
    const fold = started();
    const restored = restoreFold(OPTIONS, JSON.parse(JSON.stringify(fold.snapshot())))!;
    expect(restored.next).toBe(fold.next);
    expect(feed(restored, burst(30))).toEqual(feed(fold, burst(30)));
  });
});

describe('limits', () => {
  test('keys without room are not tracked, and existing ones still are', () => {
    const fold = started();
    for (let index = 0; index < MAX_KEYS; index += 1)
      feed(fold, [draftAt(NOW + index, { sandboxId: `s${index}`, model: `m${index}`, violations: ['X'] })]);
    const { keys } = fold.snapshot();
    const models = keys.providers.flatMap((provider) => provider.models).length;
    expect([keys.sandboxes.length, models]).toEqual([256, 128]);
    expect(feed(fold, burst(30)).at(-1)).toMatchObject({ type: 'BURST', key: 'violation:SSN' });
  });

  test('keys silent for a month make room', () => {
    const fold = started();
    feed(fold, [draftAt(NOW + 20 * DAY_MS, { sandboxId: 'new', model: 'new' })]);
    feed(fold, [draftAt(NOW + 40 * DAY_MS, { sandboxId: 'newer', model: 'newer' })]);
    feed(fold, [draftAt(NOW + 60 * DAY_MS, { sandboxId: 'newer', model: 'newer' })]);
    const { keys } = fold.snapshot();
    expect(keys.sandboxes.map(({ id }) => id)).toEqual(['newer']);
    expect(keys.codes).toEqual([]);
  });

  test('beyond the limit, the oldest open window closes', () => {
    const fold = started();
    const hours = Array.from({ length: MAX_OPEN_WINDOWS + 6 }, (_, hour) =>
      draftAt(NOW + hour * HOUR_MS, { violations: ['SSN'], acceptedAt: NOW }),
    );
    feed(fold, hours);
    expect(fold.snapshot().windows.filter(({ span }) => span === 'SHORT')).toHaveLength(MAX_OPEN_WINDOWS);
  });

  test('beyond the limit, the oldest closed findings are dropped', () => {
    const fold = started();
    for (let hour = 0; hour < MAX_KEPT_FINDINGS + 20; hour += 1)
      feed(fold, burst(20, NOW + hour * HOUR_MS, { violations: [`CODE_${hour}`] }));
    expect(fold.snapshot().closed.length).toBe(MAX_KEPT_FINDINGS);
  });
});
