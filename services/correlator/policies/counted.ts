import type { EnforcedRule, FoldedSignal } from '#core/evidence/policies/enforced.ts';

/** A signal that a rule counts. */
export interface Counted {
  readonly rule: EnforcedRule;
  readonly signal: FoldedSignal;
}
