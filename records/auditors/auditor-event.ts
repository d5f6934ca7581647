import type { AuditorRecord } from './auditor-record.ts';

/** The record at this version: an auditor is issued, and revoked once. */
export function auditorEvent(customerId: string, record: AuditorRecord, version: number) {
  const { id, prefix, status, permissions, frameworks, periodStart, periodEnd, expiresAt } = record;
  return {
    kind: 'KEY_EVENT',
    id: `auditor:${id}:${version}`,
    customerId,
    at: record.revokedAt ?? record.createdAt,
    core: {
      type: 'AUDITOR',
      auditorId: id,
      prefix,
      version,
      status,
      permissions: [...permissions],
      frameworks: frameworks === null ? null : [...frameworks],
      periodStart,
      periodEnd,
      expiresAt,
    },
    detail: { name: record.name, email: record.email },
  } as const;
}
