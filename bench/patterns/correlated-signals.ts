import type { CorrelatedSignal } from '#core/correlate/state/entries.ts';
import type { RiskLevel } from '#schemas/vocabulary.ts';
import { type Random, randomFrom } from '../load/random.ts';

/**
 * Signals of one customer as the pattern search sees them: a busy account with twenty sandboxes, six models and three
 * providers.
 */

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
/** Share of signals with a violation; the same share of these has a second one. */
const VIOLATING = 0.2;
/** Entries are ordered by time to within a minute. */
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

/** Created shortly before `at`, but not before `earliest`. */
function signalOf(random: Random, index: number, at: number, earliest: number): CorrelatedSignal {
  const createdAt = Math.max(earliest, at - random.upTo(DISORDER_MS));
  const id = `01993d5a-7c00-7000-8000-${index.toString(16).padStart(12, '0')}`;
  return { index, id, createdAt, acceptedAt: createdAt, ...kindOf(random) };
}

/** `count` signals with indexes from 0, spread evenly from `from` up to `end` (Unix ms). */
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
