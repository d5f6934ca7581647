const PREFIX = 'signal:';

/** Id of the ERASURE of one audit; an audit is erased only once. */
export const auditErasureId = (auditId: string): string => `${PREFIX}${auditId}`;

/** The audit that the ERASURE with this id erases; null if it is not the erasure of one audit. */
export const erasedAuditId = (id: string): string | null =>
  id.startsWith(PREFIX) ? id.slice(PREFIX.length) : null;
