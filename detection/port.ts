import type { Match } from '#core/detect/find/match.ts';
import type { SourceText } from '#core/detect/read/texts.ts';
import type { DetectionSettings } from '#schemas/ledger/policy-event.v1.ts';
import type { Suppression } from '#schemas/ledger/signal.v3.ts';

/** Texts that belong together, and the rules and settings of the sandbox that they were sent to. */
export interface ToDetect {
  /** Whose texts they are: long ones of different customers take turns. */
  readonly customerId: string;
  readonly texts: readonly SourceText[];
  readonly customRules: readonly string[];
  readonly settings?: DetectionSettings | undefined;
}

export interface Detected {
  readonly matches: readonly Match[];
  /** What else was found, and suppressed by the sandbox's settings. */
  readonly suppressed: readonly Suppression[];
  /** Its part of the work, ms. */
  readonly durationMs: number;
}

export type Detect = (audit: ToDetect, signal: AbortSignal) => Promise<Detected>;

export interface Detection {
  /**
   * The findings of each audit or scan, in their order, or why there are none: `TaskTimedOut` or `TaskFailed` for a
   * fault of that one, `TasksUnavailable` for an outage, the signal's reason once it fired.
   */
  detectAll(audits: readonly ToDetect[], signal: AbortSignal): Promise<PromiseSettledResult<Detected>[]>;
}
