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
import { describeMatches, describeSuppressed, joinSentences, NOTHING_FOUND } from './report/explain.ts';
import { entitiesInSteps, type RedactedEntity, redactInSteps, type ShortHash } from './report/redact.ts';

/** The sandbox settings that determine a scan's result. */
interface ScanPolicy {
  readonly sandboxType: SandboxType;
  readonly guardianAction: GuardianAction;
  readonly redactionStrategy: RedactionStrategy;
}

export interface ScanOutcome {
  readonly action: ScanAction;
  /** Each once, in the order of the vocabulary. */
  readonly violations: ViolationCode[];
  /** The matches and their locations, partially masked whatever the strategy. */
  readonly reasoning: string;
  /** The highest confidence of the matches; 1 if there are none. */
  readonly confidence: number;
  /** Matches that the sandbox's settings suppressed. */
  readonly suppressed: readonly Suppression[];
  /** The texts by source, redacted according to the policy. */
  readonly cleanTexts: ReadonlyMap<TextSource, string>;
  /** Contain the raw values, so only the caller may receive them. */
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
 * Personal data and secrets always count; other codes count if the sandbox's type reports them. Hints appear in
 * signals, but are no reason to block a call or change a text.
 */
const counts = (type: SandboxType, match: Match): boolean =>
  (REPORTED_CODES.PII_DETECTION.includes(match.code) || isReported(type, match.code)) && !isHint(match);

/**
 * Scans texts before they are sent to a model: returns what was found, the recommended action, and the cleaned texts.
 * `all` is every match of `detect` in them. Yields regularly.
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
  return [OPENINGS[action], ...describeMatches(texts, matches), `Reported: ${violations.join(', ')}.`];
}
