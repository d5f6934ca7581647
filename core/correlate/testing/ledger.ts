import { digitsOf, textOf } from '#core/similarity/compare.ts';
import type { RiskLevel } from '#schemas/vocabulary.ts';
import { ELEVATED_LEVELS } from '#schemas/vocabulary.ts';
import { dayByDay } from '../detect.ts';
import type { Similarity } from '../state/clusters.ts';
import type {
  CorrelatedEntry,
  CorrelatedSignal,
  CountedSignal,
  HourlyCounts,
  Past,
  ShapeCount,
} from '../state/entries.ts';
import { shapeOf } from '../state/prompt-shapes.ts';
import { DAY_MS, HOUR_MS, WEEK_MS } from '../state/rules.ts';

/** Random numbers from a seed, 0 <= number < 1 (mulberry32). */
export function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Digits of fingerprints are equal by chance, or because the texts are similar. */
export const SIMILARITY: Similarity = {
  digitsOf,
  textOf,
  similarityOf: (one, other) => {
    const [digits, others] = [textOf(one), textOf(other)];
    return [...digits].filter((digit, at) => digit === others[at]).length / digits.length;
  },
  bandsOf: (digits) => {
    const text = textOf(digits);
    return [0, 1, 2, 3].map((band) => Number.parseInt(band + text.slice(16 * band, 16 * band + 4), 16));
  },
};

/** The start of a two-week window, a week and a day. */
export const BEGIN_MS = 1_400 * 2 * WEEK_MS;

export type Draft = Omit<CorrelatedSignal, 'index' | 'id'>;

export const draftAt = (createdAt: number, given: Partial<Draft> = {}): Draft => ({
  createdAt,
  acceptedAt: createdAt,
  riskLevel: 'LOW',
  violations: [],
  sandboxId: 'desk',
  sandboxSlug: 'desk',
  provider: 'north',
  model: 'large',
  fingerprint: null,
  ...given,
});

/** Signals in order of acceptance, as entries from a given index. */
export const entriesOf = (drafts: readonly Draft[], first = 0): (CorrelatedSignal & { kind: 'SIGNAL' })[] =>
  drafts
    .toSorted((a, b) => Math.max(a.createdAt, a.acceptedAt) - Math.max(b.createdAt, b.acceptedAt))
    .map((draft, position) => ({
      ...draft,
      kind: 'SIGNAL',
      index: first + position,
      id: `audit-${first + position}`,
    }));

const pick = <Item>(next: () => number, items: readonly Item[]): Item =>
  items[Math.floor(next() * items.length)]!;
const SANDBOXES = ['desk', 'sales', 'legal', 'clinic'];
const LEVELS: readonly RiskLevel[] = ['LOW', 'LOW', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

const fingerprintOf = (next: () => number): string =>
  Array.from({ length: 64 }, () => Math.floor(next() * 16).toString(16)).join('');

function ordinary(next: () => number, days: number, perDay: number): Draft[] {
  return Array.from({ length: days * perDay }, () => {
    const at = BEGIN_MS + Math.floor(next() * days * DAY_MS);
    const isViolation = next() < 0.2;
    const sandbox = pick(next, SANDBOXES);
    return draftAt(at, {
      sandboxId: sandbox,
      sandboxSlug: sandbox,
      model: pick(next, ['large', 'small']),
      violations: isViolation ? [pick(next, ['EMAIL', 'SSN', 'PROMPT_INJECTION'])] : [],
      riskLevel: isViolation ? pick(next, LEVELS) : 'LOW',
      fingerprint: isViolation ? fingerprintOf(next) : null,
    });
  });
}

/**
 * Days of ordinary signals, with one pattern of every type after day `quiet`, and signals accepted in another order
 * than made.
 */
export function eventful(seed: number, quiet: number, days: number, perDay: number): Draft[] {
  const next = numbersOf(seed);
  const from = BEGIN_MS + quiet * DAY_MS;
  const sometime = (after: number, within: number): number => from + after + Math.floor(next() * within);
  const many = (count: number, make: () => Draft): Draft[] => Array.from({ length: count }, make);
  const [original, template] = [fingerprintOf(next), fingerprintOf(next)];
  const variant = (): string =>
    [...original].map((digit) => (next() < 0.1 ? Math.floor(next() * 16).toString(16) : digit)).join('');
  const drafts = [
    ...ordinary(next, days, perDay),
    ...many(25, () => draftAt(sometime(9 * HOUR_MS, HOUR_MS), { violations: ['SSN'], riskLevel: 'HIGH' })),
    ...many(30, () => draftAt(sometime(DAY_MS, DAY_MS), { violations: ['EMAIL'] })),
    ...many(32, () => {
      const sandboxId = pick(next, SANDBOXES);
      return draftAt(sometime(2 * DAY_MS, HOUR_MS / 2), {
        sandboxId,
        sandboxSlug: sandboxId,
        violations: ['EMAIL'],
      });
    }),
    ...many(16, () =>
      draftAt(sometime(2.2 * DAY_MS, 5 * HOUR_MS), {
        violations: ['PROMPT_INJECTION'],
        fingerprint: variant(),
      }),
    ),
    // The same violation throughout a day, with prompts of one shape, from everywhere.
    ...many(36, () => {
      const sandboxId = pick(next, SANDBOXES);
      return draftAt(sometime(5 * DAY_MS, DAY_MS), {
        sandboxId,
        sandboxSlug: sandboxId,
        violations: ['SSN'],
        fingerprint: template.slice(0, 40) + variant().slice(40),
      });
    }),
    ...many(80, () => {
      const sandboxId = pick(next, SANDBOXES);
      const riskLevel = pick(next, ['LOW', 'HIGH'] as const);
      return draftAt(sometime(3 * DAY_MS, DAY_MS), {
        sandboxId,
        sandboxSlug: sandboxId,
        model: 'fresh',
        riskLevel,
      });
    }),
  ];
  const climbing = many(perDay * 18, () =>
    draftAt(sometime(0, 14 * DAY_MS), { sandboxId: 'mill', sandboxSlug: 'mill' }),
  ).map((draft) => {
    const part = (draft.createdAt - from) / (14 * DAY_MS);
    return next() < 0.8 * part ? { ...draft, riskLevel: 'HIGH' as const } : draft;
  });
  return [...drafts, ...climbing].map((draft) => ({
    ...draft,
    acceptedAt: draft.createdAt + Math.floor(next() * 40) * 60_000,
  }));
}

/** The same with erasures, changed settings, late signals and other kinds of entries in between. */
export function hardLedger(seed: number): CorrelatedEntry[] {
  const next = numbersOf(seed + 1);
  const drafts = eventful(seed, 10, 24, 24).map((draft) =>
    next() < 0.03 ? { ...draft, acceptedAt: draft.createdAt + 5 * HOUR_MS } : draft,
  );
  const entries: CorrelatedEntry[] = [];
  for (const signal of entriesOf(drafts)) {
    const chance = next();
    const index = entries.length;
    if (chance < 0.01) entries.push(erasure(next, index));
    else if (chance < 0.013) entries.push({ kind: 'SETTINGS', index, settings: settingsOf(next) });
    else if (chance < 0.1) entries.push({ kind: 'OTHER', index });
    const position = entries.length;
    entries.push({ ...signal, index: position, id: `audit-${position}` });
  }
  return entries;
}

function erasure(next: () => number, index: number): CorrelatedEntry {
  const from = Math.max(0, index - Math.floor(next() * 160));
  // Most name some signals, and a few name all of two days.
  const length = next() < 0.15 ? 150 : Math.floor(next() * 12);
  const ranges = [[from, from + length]] as const;
  return { kind: 'ERASURE', index, ranges, scope: pick(next, ['ALL', 'DETAIL']), closing: false };
}

const settingsOf = (next: () => number) => ({
  windowMinutes: pick(next, [60, 60, 30, 90]),
  minSignals: 2 + Math.floor(next() * 4),
  dimensions: pick(next, [['sandbox', 'model', 'provider', 'violation'] as const, ['violation'] as const]),
});

/**
 * Counts that baselines need of the signals from `from` (inclusive) to `end` (exclusive), grouped as in the warehouse.
 */
export const pastOf = (signals: readonly Draft[], from: number, end: number): Past => {
  const past = signals.filter(({ createdAt }) => createdAt >= from && createdAt < end);
  return { hours: hourlyCountsOf(past), shapes: shapeCountsOf(past) };
};

function hourlyCountsOf(signals: readonly Draft[]): HourlyCounts[] {
  const groups = new Map<
    string,
    Omit<HourlyCounts, 'hours' | 'counts'> & { readonly byHour: Map<number, number> }
  >();
  for (const { createdAt, riskLevel, violations, sandboxId, sandboxSlug, provider, model } of signals) {
    const hour = Math.floor(createdAt / HOUR_MS);
    const kind = { riskLevel, violations, sandboxId, sandboxSlug, provider, model };
    const key = JSON.stringify(kind);
    const group = groups.get(key) ?? { ...kind, byHour: new Map<number, number>() };
    groups.set(key, group);
    group.byHour.set(hour, (group.byHour.get(hour) ?? 0) + 1);
  }
  return Array.from(groups.values(), ({ byHour, ...kind }) => {
    const hours = [...byHour.keys()].sort((a, b) => a - b);
    return { ...kind, hours, counts: hours.map((hour) => byHour.get(hour)!) };
  });
}

/** Signals of history as the warehouse returns them: by day and index, with totals-only signals grouped by hour. */
export function countedOf(signals: readonly CorrelatedSignal[]): CountedSignal[] {
  const groups = new Map<string, CountedSignal>();
  for (const { acceptedAt: _, ...signal } of signals.toSorted((a, b) => a.index - b.index)) {
    const { createdAt, violations, riskLevel, sandboxId, sandboxSlug, provider, model } = signal;
    const isTotal = violations.length === 0 && !ELEVATED_LEVELS.includes(riskLevel);
    const hour = Math.floor(createdAt / HOUR_MS);
    const key = isTotal ? JSON.stringify([hour, sandboxId, sandboxSlug, provider, model]) : signal.id;
    groups.set(key, { ...signal, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return dayByDay([...groups.values()]);
}

function shapeCountsOf(signals: readonly Draft[]): ShapeCount[] {
  const groups = new Map<string, ShapeCount>();
  for (const { createdAt, violations, fingerprint } of signals) {
    if (fingerprint === null) continue;
    for (const code of new Set(violations)) {
      const group = { day: createdAt - (createdAt % DAY_MS), code, shape: shapeOf(fingerprint) };
      const key = JSON.stringify(group);
      groups.set(key, { ...group, count: (groups.get(key)?.count ?? 0) + 1 });
    }
  }
  return [...groups.values()];
}
