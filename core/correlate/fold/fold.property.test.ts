import fc from 'fast-check';
import { expect, test } from '#jest';
import { FINDING_STATUSES, FINDING_TYPES } from '#schemas/vocabulary.ts';
import { detect, startRun } from '../detect.ts';
import type { Finding } from '../finding.ts';
import type { CorrelatedEntry } from '../state/entries.ts';
import { DAY_MS, DEFAULT_SETTINGS } from '../state/rules.ts';
import {
  BEGIN_MS,
  countedOf,
  draftAt,
  entriesOf,
  eventful,
  hardLedger,
  pastOf,
  SIMILARITY,
} from '../testing/ledger.ts';
import { type CorrelationFold, createFold, restoreFold } from './fold.ts';
import type { ReportedFinding } from './reported-finding.ts';

const OPTIONS = { customerId: '0190ffff-0000-7000-8000-00000000000c', similarity: SIMILARITY };

const findingOf = ({ finding }: ReportedFinding): Finding => finding;

/** What a reader sees who reads the ledger once, entry by entry. */
function atOnce(entries: readonly CorrelatedEntry[]): { changed: Finding[]; fold: CorrelationFold } {
  const fold = createFold(OPTIONS);
  return { changed: entries.flatMap((entry) => fold.fold([entry]).map(findingOf)), fold };
}

interface Cuts {
  readonly sizes: readonly number[];
  /** Batches after which the process crashes, in turn. */
  readonly crashes: readonly number[];
  /** Batches between snapshots. */
  readonly every: number;
  /** Entries before the next one that are delivered again, in turn. */
  readonly repeats: readonly number[];
}

/** The same in batches, with repeated entries, and restored from the last snapshot after every crash. */
function inPieces(entries: readonly CorrelatedEntry[], { sizes, crashes, every, repeats }: Cuts) {
  const changed: Finding[] = [];
  let fold = createFold(OPTIONS);
  let saved = JSON.stringify(fold.snapshot());
  let turn = 0;
  const dies = [...crashes];
  while (fold.next < entries.length) {
    const from = Math.max(0, fold.next - repeats[turn % repeats.length]!);
    const end = fold.next + sizes[turn % sizes.length]!;
    changed.push(...fold.fold(entries.slice(from, end)).map(findingOf));
    turn += 1;
    if (turn % every === 0) saved = JSON.stringify(fold.snapshot());
    if (dies.length === 0 || turn % dies[0]! !== 0) continue;
    dies.shift();
    fold = restoreFold(OPTIONS, JSON.parse(saved))!;
  }
  return { changed, fold };
}

/** Each change once, where it first appeared: what a reader who drops repeats by id and version sees. */
function withoutRepeats(changed: readonly Finding[]): string[] {
  const seen = new Map<string, string>();
  for (const finding of changed) {
    const key = `${finding.id} ${finding.version}`;
    const bytes = JSON.stringify(finding);
    const known = seen.get(key);
    if (known !== undefined) expect(bytes).toBe(known);
    seen.set(key, bytes);
  }
  return [...seen.values()];
}

const lastOf = (changed: readonly Finding[]): Finding[] => [
  ...new Map(changed.map((finding) => [finding.id, finding])).values(),
];

test('findings and their versions are byte-identical, however entries are batched', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.record({
        sizes: fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 }),
        crashes: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 8 }),
        every: fc.integer({ min: 1, max: 7 }),
        repeats: fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }),
      }),
      (seed, cuts) => {
        const entries = hardLedger(seed);
        const whole = atOnce(entries);
        const pieces = inPieces(entries, cuts);
        expect(whole.changed.length).toBeGreaterThan(0);
        expect(withoutRepeats(pieces.changed)).toEqual(withoutRepeats(whole.changed));
        expect(JSON.stringify(pieces.fold.snapshot())).toBe(JSON.stringify(whole.fold.snapshot()));
      },
    ),
    { numRuns: 20 },
  );
});

test('an entry changes a finding at most once', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (seed) => {
      const keys = atOnce(hardLedger(seed)).changed.map(({ id, version }) => `${id} ${version}`);
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: 10 },
  );
});

test('these ledgers have findings of every type and status', () => {
  const changed = [1, 2, 3].flatMap((seed) => atOnce(hardLedger(seed)).changed);
  expect(new Set(changed.map(({ type }) => type))).toEqual(new Set(FINDING_TYPES));
  expect(new Set(changed.map(({ status }) => status))).toEqual(new Set(FINDING_STATUSES));
});

/** Everything except the source. */
const compared = (findings: readonly Finding[], from: number, end: number): string[] =>
  findings
    .filter(({ windowStart, windowMs }) => windowStart >= from && windowStart + windowMs <= end)
    .filter(({ status }) => status !== 'RETRACTED')
    .map(({ source: _source, version: _version, status: _status, ...finding }) => JSON.stringify(finding))
    .sort();

const RANGE = { from: BEGIN_MS + 28 * DAY_MS, end: BEGIN_MS + 49 * DAY_MS };

/** The stream's findings after all windows have closed, and those of a run over the same signals. */
function bothWays(seed: number, windowMinutes: number): readonly [string[], string[]] {
  const settings = { ...DEFAULT_SETTINGS, windowMinutes };
  const drafts = eventful(seed, 30, 49, 20);
  const { from, end } = RANGE;
  const signals = entriesOf([...drafts, draftAt(end + 30 * DAY_MS)], 1);
  const { changed, fold } = atOnce([{ kind: 'SETTINGS', index: 0, settings }, ...signals]);
  expect(fold.late).toBe(0);
  const parameters = { ...OPTIONS, ...settings, startDate: from, endDate: end, sandboxSlug: null };
  const { findings, analyzedSignals } = detect(parameters, pastOf(drafts, from - 28 * DAY_MS, from), signals);
  expect(analyzedSignals).toBe(drafts.filter(({ createdAt }) => createdAt >= from && createdAt < end).length);
  return [compared(lastOf(changed), from, end), compared(findings, from, end)];
}

test('a run over history finds the same as the stream when no signal was late', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom(15, 60, 90, 1_440), (seed, windowMinutes) => {
      const [stream, run] = bothWays(seed, windowMinutes);
      expect(run.length).toBeGreaterThan(0);
      expect(run).toEqual(stream);
    }),
    { numRuns: 20 },
  );
});

test('a run finds the same when signals are counted by the hour', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom(15, 60, 90, 1_440), (seed, windowMinutes) => {
      // Neither is at the start of an hour.
      const [from, end] = [RANGE.from + 1_234_567, RANGE.end - 7_654_321];
      const drafts = eventful(seed, 30, 49, 20);
      const past = pastOf(drafts, from - 28 * DAY_MS, from);
      const signals = entriesOf(drafts.filter(({ createdAt }) => createdAt >= from && createdAt < end));
      const settings = { ...DEFAULT_SETTINGS, windowMinutes };
      const parameters = { ...OPTIONS, ...settings, startDate: from, endDate: end, sandboxSlug: null };
      const whole = detect(parameters, past, signals);
      const run = startRun(parameters);
      run.countHours(past.hours);
      run.countShapes(past.shapes);
      const counted = countedOf(signals);
      expect(counted.length).toBeLessThan(signals.length);
      run.addSignals(counted);
      expect(run.finish().map(({ finding }) => finding)).toEqual(whole.findings);
      expect(run.analyzedSignals).toBe(whole.analyzedSignals);
      expect(whole.findings.length).toBeGreaterThan(0);
    }),
    { numRuns: 20 },
  );
});

test('the compared findings include all types', () => {
  const types = bothWays(8, 60)[1].map((finding) => (JSON.parse(finding) as Finding).type);
  expect(new Set(types)).toEqual(new Set(FINDING_TYPES));
});
