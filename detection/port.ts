import type { Match } from '#core/detect/find/match.ts';
import type { SourceText } from '#core/detect/read/texts.ts';
import type { DetectionSettings } from '#schemas/ledger/policy-event.v1.ts';
import type { Suppression } from '#schemas/ledger/signal.v3.ts';

/** Texts that belong together, with the rules and settings of their sandbox. */
export interface ToDetect {
  /** Owner of the texts: customers take turns with long ones. */
  readonly customerId: string;
  readonly texts: readonly SourceText[];
  readonly customRules: readonly string[];
  readonly settings?: DetectionSettings | undefined;
}

export interface Detected {
  readonly matches: readonly Match[];
  /** Matches suppressed by the sandbox's settings. */
  readonly suppressed: readonly Suppression[];
  /** This audit's share of the work, ms. */
  readonly durationMs: number;
}

export type Detect = (audit: ToDetect, signal: AbortSignal) => Promise<Detected>;

export interface Detection {
  /**
   * The matches of each audit or scan, in order, or why there are none: `TaskTimedOut` or `TaskFailed` for a fault of
   * that audit, `TasksUnavailable` for an outage, the signal's reason once it has fired.
   */
  detectAll(audits: readonly ToDetect[], signal: AbortSignal): Promise<PromiseSettledResult<Detected>[]>;
}
