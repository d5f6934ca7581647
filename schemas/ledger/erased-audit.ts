const PREFIX = 'signal:';

/** Id of the ERASURE of one audit: an audit is erased once. */
export const auditErasureId = (auditId: string): string => `${PREFIX}${auditId}`;

/** The audit that an ERASURE with this id is of; null: it is no erasure of one audit. */
export const erasedAuditId = (id: string): string | null =>
  id.startsWith(PREFIX) ? id.slice(PREFIX.length) : null;
