import type { CheckOutcome, ControlStatus, EvidenceScope } from '#schemas/vocabulary.ts';
import { CONTROL_STATUSES } from '#schemas/vocabulary.ts';
import type { Control } from './catalogues.ts';
import { CHECKS, type CheckName, combined } from './checks.ts';
import type { LedgerFacts, MappedFacts, ScopeFacts } from './facts.ts';
import { statusOf } from './status.ts';

/** What the evidence says about one control. */
export interface Attested {
  readonly controlId: string;
  readonly status: ControlStatus;
  readonly reason: string;
  readonly scope: EvidenceScope;
  readonly signalCount: number;
  readonly violationCount: number;
  readonly violationsByCode: Readonly<Record<string, number>>;
  readonly openIncidents: number;
  readonly sampleSignalIds: readonly string[];
  readonly checks: readonly {
    readonly name: CheckName;
    readonly outcome: CheckOutcome;
    readonly reason: string;
  }[];
}

/** `mapped`: signals that count against the control; null for a control without codes. */
export function attest(
  control: Control,
  scope: ScopeFacts,
  mapped: MappedFacts | null,
  ledger: LedgerFacts,
): Attested {
  const checks = control.checks.map((name) => ({
    name,
    ...CHECKS[name]({ scope, ledger, mapped: mapped ?? scope }),
  }));
  const codes = control.mapping?.codes ?? [];
  return {
    controlId: control.id,
    ...statusOf(scope.signals, mapped, combined(checks)),
    scope: scope.scope,
    signalCount: scope.signals,
    violationCount: mapped?.signals ?? 0,
    violationsByCode: Object.fromEntries(
      codes.flatMap((code) => {
        const count = mapped?.byCode.get(code) ?? 0;
        return count === 0 ? [] : [[code, count]];
      }),
    ),
    openIncidents: mapped?.incidents.open ?? 0,
    sampleSignalIds: mapped?.sampleSignalIds ?? [],
    checks,
  };
}

interface Coverage {
  readonly totalControls: number;
  readonly controlsWithEvidence: number;
  /** 0 to 100, one decimal. */
  readonly coveragePercent: number;
  readonly byStatus: Readonly<Record<ControlStatus, number>>;
  readonly gaps: readonly { readonly controlId: string; readonly reason: string }[];
}

/** How much of a framework is supported by evidence. */
export function coverage(attested: readonly Pick<Attested, 'controlId' | 'status' | 'reason'>[]): Coverage {
  const gaps = attested.filter(({ status }) => status === 'NO_EVIDENCE');
  const byStatus = Object.fromEntries(
    CONTROL_STATUSES.map((wanted) => [wanted, attested.filter(({ status }) => status === wanted).length]),
  ) as Record<ControlStatus, number>;
  const controlsWithEvidence = attested.length - gaps.length;
  return {
    totalControls: attested.length,
    controlsWithEvidence,
    coveragePercent: Math.round((1_000 * controlsWithEvidence) / Math.max(1, attested.length)) / 10,
    byStatus,
    gaps: gaps.map(({ controlId, reason }) => ({ controlId, reason })),
  };
}
