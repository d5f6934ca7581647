import type { EnforcedPolicies, FoldedSignal, PolicyVersion } from '#core/evidence/policies/enforced.ts';
import type { PolicyRule } from '#core/evidence/policies/rules.ts';
import type { FoldedEntry } from '#schemas/events/events.ts';
import type { SignalCore } from '#schemas/ledger/signal.v1.ts';
import type { PolicyAction, PolicyEnforcement, RiskLevel } from '#schemas/vocabulary.ts';

/** The core of a POLICY_EVENT of type POLICY: the fields needed to enforce it. */
interface PolicyCore {
  readonly policyId: string;
  readonly version: number;
  readonly sandboxSlugs: readonly string[];
  readonly rules: readonly PolicyRule[];
  readonly enforcement: PolicyEnforcement;
  readonly active: boolean;
  readonly deletedAt: string | null;
}

export const isPolicyEntry = ({ kind, id }: Pick<FoldedEntry, 'kind' | 'id'>): boolean =>
  kind === 'POLICY_EVENT' && id.startsWith('policy:');

/** Applies a version of a policy; a version without a core was erased with its customer, and is ignored. */
export function applyPolicy(
  policies: EnforcedPolicies,
  { index, core }: { readonly index: number; readonly core: string | null },
): void {
  if (core !== null) policies.apply(policyVersionOf(JSON.parse(core) as PolicyCore), index);
}

const policyVersionOf = ({ rules, ...core }: PolicyCore): PolicyVersion => ({
  ...core,
  // Named individually: a rule's digest must not change when entries get more fields.
  rules: rules.map(({ code, minRiskLevel, maxCount, windowDays, action }) => ({
    code,
    minRiskLevel: minRiskLevel as RiskLevel,
    maxCount,
    windowDays,
    action: action as PolicyAction,
  })),
});

/** Null: it is not a signal, or is blank. */
export function signalOf({ kind, index, core }: FoldedEntry): FoldedSignal | null {
  if (kind !== 'SIGNAL' || core === null) return null;
  const { auditId, sandboxId, sandboxSlug, riskLevel, violations, regulation, createdAt } = JSON.parse(
    core,
  ) as SignalCore;
  const at = Date.parse(createdAt);
  return { index, auditId, sandboxId, sandboxSlug, riskLevel, violations, regulation, at };
}
