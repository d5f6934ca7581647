import {
  type GuardianAction,
  isReported,
  REPORTED_CODES,
  type RedactionStrategy,
  type SandboxType,
  type ScanAction,
  type ViolationCode,
} from '../../schemas/vocabulary.ts';
import { codesOf, confidenceOf } from './assess.ts';
import type { CompiledRules } from './custom-rules.ts';
import { detectInSteps, type Finding } from './detect.ts';
import { describeInSteps, joinSentences, NOTHING_FOUND } from './explain.ts';
import { entitiesInSteps, type RedactedEntity, redactInSteps, type ShortHash } from './redact.ts';
import { isHint } from './severity.ts';
import { tallyInSteps } from './tally.ts';
import type { SourceText, TextSource } from './texts.ts';

/** What of a sandbox decides what a scan answers. */
export interface ScanPolicy {
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
  /** The highest of the finds; 1 without any. */
  readonly confidence: number;
  /** The texts by source, redacted as the policy says. */
  readonly cleanTexts: ReadonlyMap<TextSource, string>;
  /** They hold the raw values: for the caller's answer only. */
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
 * Personal data and secrets are what a scan is for; anything else counts when the sandbox's type reports it. A hint that
 * is no value is something to read about in a signal, and no reason to stop a call.
 */
const counts = (type: SandboxType, finding: Finding): boolean =>
  (REPORTED_CODES.PII_DETECTION.includes(finding.code) || isReported(type, finding.code)) &&
  (finding.entity !== null || !isHint(finding));

/**
 * Looks at texts before they are sent to a model: what was found, what to do about it, and the texts without it.
 * Yields after each stretch of work, like `detectInSteps`, whose findings it has.
 */
export function* scanInSteps(
  texts: readonly SourceText[],
  policy: ScanPolicy,
  rules: CompiledRules,
  hash: ShortHash,
): Generator<void, ScanOutcome> {
  const { sandboxType, guardianAction, redactionStrategy: strategy } = policy;
  const all = yield* detectInSteps(texts, { rules });
  const findings = all.filter((finding) => counts(sandboxType, finding));
  const kinds = yield* tallyInSteps(findings);
  const violations = codesOf(kinds);
  const action = findings.length === 0 ? 'ALLOW' : ACTIONS[guardianAction];
  const cleanTexts = new Map<TextSource, string>();
  for (const { source, text } of texts) {
    const here = guardianAction === 'ALLOW_ALL' ? [] : findings.filter((one) => one.source === source);
    cleanTexts.set(source, yield* redactInSteps(text, here, strategy, hash));
  }
  return {
    action,
    violations,
    reasoning: yield* explainScan(texts, findings, action, violations),
    confidence: confidenceOf(kinds),
    cleanTexts,
    entities: yield* entitiesInSteps(texts, findings, strategy, hash),
  };
}

function* explainScan(
  texts: readonly SourceText[],
  findings: readonly Finding[],
  action: ScanAction,
  violations: readonly ViolationCode[],
): Generator<void, string> {
  if (findings.length === 0) return NOTHING_FOUND;
  return joinSentences([
    OPENINGS[action],
    ...(yield* describeInSteps(texts, findings)),
    `Reported: ${violations.join(', ')}.`,
  ]);
}
