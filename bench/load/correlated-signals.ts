import type {
  CorrelatedSignal,
  CountedSignal,
  HourlyCounts,
  ShapeCount,
} from '#core/correlate/state/entries.ts';
import { SHAPES } from '#core/correlate/state/prompt-shapes.ts';
import { DAY_MS, HOUR_MS } from '#core/correlate/state/rules.ts';
import { countedOf } from '#core/correlate/testing/ledger.ts';
import type { RiskLevel } from '#schemas/vocabulary.ts';
import { type Random, randomFrom } from './random.ts';

/** Signals of one customer as patterns look at them: a busy account of twenty sandboxes, six models, three providers. */

const SANDBOXES = Array.from({ length: 20 }, (_, number) => `sandbox-${number}`);
const MODELS = [
  ['openai', 'gpt-5'],
  ['openai', 'gpt-5-mini'],
  ['anthropic', 'large'],
  ['anthropic', 'small'],
  ['mistral', 'medium'],
  ['mistral', 'tiny'],
] as const;
const CODES = [
  ...['EMAIL', 'PHONE', 'SSN', 'CREDIT_CARD', 'PII_LEAK', 'SECRET_LEAK', 'HEALTH_DATA', 'FINANCIAL_DATA'],
  ...['PROMPT_INJECTION', 'JAILBREAK_ATTEMPT', 'CODE_INJECTION', 'HATE_SPEECH'],
];
const LEVELS: readonly RiskLevel[] = ['LOW', 'MEDIUM', 'MEDIUM', 'HIGH', 'HIGH', 'CRITICAL'];
/** Of the signals have a violation, and of these another one as well. */
const VIOLATING = 0.2;
/** A minute: entries come nearly in the order of their times. */
const DISORDER_MS = 60_000;

type Kind = Omit<CorrelatedSignal, 'index' | 'id' | 'createdAt' | 'acceptedAt'>;

function kindOf(random: Random): Kind {
  const [provider, model] = random.pick(MODELS);
  const sandboxId = random.pick(SANDBOXES);
  const isViolating = random.chance(VIOLATING);
  const violations = isViolating ? [random.pick(CODES)] : [];
  if (isViolating && random.chance(VIOLATING)) violations.push(random.pick(CODES));
  return {
    riskLevel: isViolating ? random.pick(LEVELS) : 'LOW',
    violations,
    sandboxId,
    sandboxSlug: sandboxId,
    provider,
    model,
    fingerprint: isViolating ? random.hex(64) : null,
  };
}

/** Made a while before `at`, and not before `earliest`. */
function signalOf(random: Random, index: number, at: number, earliest: number): CorrelatedSignal {
  const createdAt = Math.max(earliest, at - random.upTo(DISORDER_MS));
  const id = `01993d5a-7c00-7000-8000-${index.toString(16).padStart(12, '0')}`;
  return { index, id, createdAt, acceptedAt: createdAt, ...kindOf(random) };
}

/** `count` signals, evenly over the time from `from` up to `end` (Unix ms), from index 0. */
export function correlatedSignals(
  seed: number,
  { count, from, end }: { readonly count: number; readonly from: number; readonly end: number },
): CorrelatedSignal[] {
  const random = randomFrom(seed);
  const step = (end - from) / count;
  return Array.from({ length: count }, (_, index) =>
    signalOf(random, index, from + Math.floor(index * step), from),
  );
}

/**
 * The same day by day (UTC), none known on another day than it was made, in pieces of `size` rows: as a run over history
 * reads them, those that nothing looks for counted by the hour.
 */
export function* countedPieces(
  seed: number,
  { count, from, end }: { readonly count: number; readonly from: number; readonly end: number },
  size: number,
): Generator<CountedSignal[]> {
  const random = randomFrom(seed);
  const step = (end - from) / count;
  for (let first = 0; first < count; ) {
    const day = Math.floor((from + Math.floor(first * step)) / DAY_MS);
    const signals: CorrelatedSignal[] = [];
    for (; first < count; first += 1) {
      const at = from + Math.floor(first * step);
      if (Math.floor(at / DAY_MS) !== day) break;
      signals.push(signalOf(random, first, at, day * DAY_MS));
    }
    const rows = countedOf(signals);
    for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
  }
}

/** Violations of the days from `from` up to `end` by the shapes of their prompts, a few of each. */
export function correlatedShapes(seed: number, from: number, end: number): ShapeCount[] {
  const random = randomFrom(seed);
  const groups: ShapeCount[] = [];
  for (let day = from; day < end; day += DAY_MS)
    for (const code of CODES)
      for (let shape = 0; shape < SHAPES; shape += 1) {
        const count = random.upTo(20);
        if (count > 0) groups.push({ day, code, shape, count });
      }
  return groups;
}

/** Counts of the hours from `from` up to `end`, `signalsPerHour` in each; equal ones together, as the warehouse tells them. */
export function correlatedHours(
  seed: number,
  {
    from,
    end,
    signalsPerHour,
  }: { readonly from: number; readonly end: number; readonly signalsPerHour: number },
): HourlyCounts[] {
  const random = randomFrom(seed);
  const kinds = new Map<string, HourlyCounts & { readonly hours: number[]; readonly counts: number[] }>();
  for (let hour = Math.floor(from / HOUR_MS); hour * HOUR_MS < end; hour += 1)
    for (let signal = 0; signal < signalsPerHour; signal += 1) {
      const { fingerprint: _, ...kind } = kindOf(random);
      const key = JSON.stringify(kind);
      const known = kinds.get(key) ?? { ...kind, hours: [], counts: [] };
      kinds.set(key, known);
      if (known.hours.at(-1) !== hour) {
        known.hours.push(hour);
        known.counts.push(0);
      }
      known.counts[known.counts.length - 1]! += 1;
    }
  return [...kinds.values()];
}
