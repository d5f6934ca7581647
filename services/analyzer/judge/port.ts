import type { JudgedHit } from '../../../core/detect/judged.ts';
import type { SourceText } from '../../../core/detect/texts.ts';
import type { ViolationCode } from '../../../schemas/vocabulary.ts';

/** One thing to judge: whether a custom rule, or what a code stands for, applies to a text. */
export interface Question {
  readonly code: ViolationCode;
  /** Custom rules only: the rule's place in the sandbox's list. */
  readonly ruleIndex?: number;
  /** The rule as its author wrote it. */
  readonly rule: string;
}

export interface JudgeRequest {
  /** At least one. */
  readonly questions: readonly Question[];
  /** Without any value that a detector found, and none of them empty: they leave the process. */
  readonly redactedTexts: readonly SourceText[];
}

/** Why questions have no answer. */
export type NotJudged =
  /** The endpoint cannot be reached, or is of no use at all. */
  | 'UNREACHABLE'
  /** The endpoint works, but not for this text. */
  | 'FAILED'
  /** The endpoint or the model refuses this text. */
  | 'REFUSED'
  /** The answer is not what was asked for. */
  | 'UNREADABLE'
  /** The answer shows that the model did not follow the rules; whatever it says is dropped. */
  | 'MANIPULATED'
  /** More calls than the settings, or the endpoint, allow. */
  | 'OVER_BUDGET'
  /** No turn in time: there are more texts than the model keeps up with. */
  | 'TOO_SLOW';

export type Verdict =
  | {
      readonly kind: 'JUDGED';
      readonly hits: readonly JudgedHit[];
      /** The middle of a long text was left out. */
      readonly shortened: boolean;
    }
  | { readonly kind: 'NOT_JUDGED'; readonly reason: NotJudged };

export interface AskLimits {
  /** Fires when nobody waits for the answer any more; the call is broken off and its reason thrown. */
  readonly signal: AbortSignal;
  /** Until when the call may wait for its turn; on the monotonic clock, ms. */
  readonly startBefore: number;
}

/** Reads texts and says which rules apply. What it says can only add to what the detectors find. */
export interface Judge {
  /** Calls that are made side by side. */
  readonly concurrency: number;
  /** Rejects with `JudgeUnavailable`. */
  ask(request: JudgeRequest, limits: AskLimits): Promise<Verdict>;
}

/** No answer could be had now; worth repeating, and no fault of any record. The message quotes nothing that was sent. */
export class JudgeUnavailable extends Error {
  /** True when the endpoint turned this very call away for its limits; other calls may still pass. */
  readonly isLimit: boolean;
  constructor(message: string, isLimit: boolean) {
    super(message);
    this.name = 'JudgeUnavailable';
    this.isLimit = isLimit;
  }
}

/** What is counted of a judge. */
export interface JudgeMetrics {
  /** `purpose`: an audit's own call, or one that asks whether the endpoint works. `outcome`: ok or the kind of failure. */
  call(purpose: 'audit' | 'probe', outcome: string, durationMs: number): void;
  /** Questions without an answer. */
  notJudged(reason: NotJudged, questions: number): void;
}
