import type { Suppression } from '#schemas/ledger/signal.v3.ts';
import {
  type GuardianAction,
  isReported,
  REPORTED_CODES,
  type RedactionStrategy,
  type SandboxType,
  type ScanAction,
  type ViolationCode,
} from '#schemas/vocabulary.ts';
import type { Match } from './find/match.ts';
import { codesOf, confidenceOf } from './judge/assess.ts';
import { isHint } from './judge/severity.ts';
import { tally } from './judge/tally.ts';
import type { SourceText, TextSource } from './read/texts.ts';
import { describeFindings, describeSuppressed, joinSentences, NOTHING_FOUND } from './report/explain.ts';
import { entitiesInSteps, type RedactedEntity, redactInSteps, type ShortHash } from './report/redact.ts';

/** A sandbox's settings that decide a scan's answer. */
interface ScanPolicy {
  readonly sandboxType: SandboxType;
  readonly guardianAction: GuardianAction;
  readonly redactionStrategy: RedactionStrategy;
}

export interface ScanOutcome {
  readonly action: ScanAction;
  /** Each once, in the order of the vocabulary. */
  readonly violations: ViolationCode[];
  /** What was found where, partially masked whatever the strategy. */
  readonly reasoning: string;
  /** The highest confidence among the findings; 1 without any. */
  readonly confidence: number;
  /** Findings that the sandbox's settings suppressed. */
  readonly suppressed: readonly Suppression[];
  /** The texts by source, redacted as the policy says. */
  readonly cleanTexts: ReadonlyMap<TextSource, string>;
  /** Contain the raw values: for the caller's answer only. */
  readonly entities: RedactedEntity[];
}

const ACTIONS: Readonly<Record<GuardianAction, ScanAction>> = {
  ALLOW_ALL: 'ALLOW',
  REDACT_AND_CONTINUE: 'REDACT',
  BLOCK_ON_DETECT: 'BLOCK',
};

const OPENINGS: Readonly<Record<ScanAction, string>> = {
  ALLOW: 'Allowed: this sandbox lets everything pass.',
  REDACT: 'Redacted: this sandbox replaces values that are found and lets the call continue.',
  BLOCK: 'Blocked: this sandbox stops calls in which something is found.',
};

/**
 * Personal data and secrets are what a scan is for; anything else counts when the sandbox's type reports it. A hint
 * is worth reading in a signal, but no reason to block a call or to change a text.
 */
const counts = (type: SandboxType, match: Match): boolean =>
  (REPORTED_CODES.PII_DETECTION.includes(match.code) || isReported(type, match.code)) && !isHint(match);

/**
 * The answer to a scan of texts before they are sent to a model: what was found, what to do about it, and the texts
 * without it. `all`: every finding of `detect` in them. Yields regularly.
 */
export function* scanInSteps(
  texts: readonly SourceText[],
  all: readonly Match[],
  policy: ScanPolicy,
  hash: ShortHash,
  suppressed: readonly Suppression[] = [],
): Generator<void, ScanOutcome> {
  const { sandboxType, guardianAction, redactionStrategy: strategy } = policy;
  const matches = all.filter((match) => counts(sandboxType, match));
  const kinds = tally(matches);
  const violations = codesOf(kinds);
  const action = matches.length === 0 ? 'ALLOW' : ACTIONS[guardianAction];
  const cleanTexts = new Map<TextSource, string>();
  for (const { source, text } of texts) {
    const here = guardianAction === 'ALLOW_ALL' ? [] : matches.filter((one) => one.source === source);
    cleanTexts.set(source, yield* redactInSteps(text, here, strategy, hash));
  }
  return {
    action,
    violations,
    reasoning: joinSentences([
      ...explainScan(texts, matches, action, violations),
      ...describeSuppressed(suppressed),
    ]),
    confidence: confidenceOf(kinds),
    suppressed,
    cleanTexts,
    entities: yield* entitiesInSteps(texts, matches, strategy, hash),
  };
}

function explainScan(
  texts: readonly SourceText[],
  matches: readonly Match[],
  action: ScanAction,
  violations: readonly ViolationCode[],
): string[] {
  if (matches.length === 0) return [NOTHING_FOUND];
  return [OPENINGS[action], ...describeFindings(texts, matches), `Reported: ${violations.join(', ')}.`];
}
