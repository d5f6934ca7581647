import type { JudgedHit } from '#core/detect/judge/judged.ts';
import type { SourceText } from '#core/detect/read/texts.ts';
import { ServiceError } from '#platform/flow/service-error.ts';
import type { ViolationCode } from '#schemas/vocabulary.ts';

/** One question: whether a custom rule, or the description of a code, applies to a text. */
export interface Question {
  readonly code: ViolationCode;
  /** Custom rules only: the rule's index in the sandbox's list. */
  readonly ruleIndex?: number;
  /** The rule as its author wrote it. */
  readonly rule: string;
}

export interface JudgeRequest {
  /** At least one. */
  readonly questions: readonly Question[];
  /** Without any detected value, and none of them empty: these texts leave the process. */
  readonly redactedTexts: readonly SourceText[];
}

/** Why questions have no answer. */
export type NotJudged =
  /** The endpoint cannot be reached, or does not work at all. */
  | 'UNREACHABLE'
  /** The endpoint works, but not for this text. */
  | 'FAILED'
  /** The endpoint or the model refuses this text. */
  | 'REFUSED'
  /** The answer does not have the requested form. */
  | 'UNREADABLE'
  /** The answer shows that the model did not follow the rules, so all of it is dropped. */
  | 'MANIPULATED'
  /** More calls than the settings or the endpoint allow. */
  | 'OVER_BUDGET'
  /** Its turn did not come in time: more texts than the model can process. */
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
  /** Fires when the answer is no longer needed; the call is aborted and the signal's reason thrown. */
  readonly signal: AbortSignal;
  /** Latest start of the call, on the monotonic clock, ms. */
  readonly startBefore: number;
}

/** Reads texts and says which rules apply. Its verdict can only add to the detectors' matches. */
export interface Judge {
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  /** Rejects with `JudgeUnavailable`. */
  ask(request: JudgeRequest, limits: AskLimits): Promise<Verdict>;
}

/** No answer now; worth retrying, and not the fault of any record. The message quotes nothing that was sent. */
export class JudgeUnavailable extends ServiceError {
  /** True when the endpoint refused only this call because of its rate limits; other calls may still pass. */
  readonly isLimit: boolean;
  constructor(message: string, isLimit: boolean) {
    super(message);
    this.name = 'JudgeUnavailable';
    this.isLimit = isLimit;
  }
}

export interface JudgeMetrics {
  /** `purpose`: a call about an audit, or a probe of the endpoint. `outcome`: ok or the kind of failure. */
  call(purpose: 'audit' | 'probe', outcome: string, durationMs: number): void;
  /** Questions without an answer. */
  notJudged(reason: NotJudged, questions: number): void;
}
