import type { ListedAuditRow } from '#platform/warehouse/queries/audits.ts';
import type { ListedAudit } from '#schemas/api/audits.ts';
import type { AuditSource, AuditStatus, FailureCode, RiskLevel } from '#schemas/vocabulary.ts';

/** An audit's row as answered; unknown fields are left out. */
export function shownAudit(row: ListedAuditRow): ListedAudit {
  return {
    id: row.auditId,
    auditId: row.auditId,
    sandboxSlug: row.sandboxSlug,
    provider: row.provider,
    model: row.model,
    source: row.source as AuditSource,
    status: row.status as AuditStatus,
    attempts: row.attempts,
    ...(row.riskLevel === null ? {} : { riskLevel: row.riskLevel as RiskLevel }),
    violations: row.violations,
    ...(row.failureCode === null ? {} : { failureCode: row.failureCode as FailureCode }),
    createdAt: row.acceptedAt,
    ...(row.completedAt === null ? {} : { completedAt: row.completedAt }),
    ...(row.durationMs === null ? {} : { durationMs: row.durationMs }),
    ...(row.erased ? { erased: true as const } : {}),
  };
}
