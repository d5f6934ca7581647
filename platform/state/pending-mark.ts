/**
 * Kept from the 202 until the sink has stored the acceptance (at most 2 h), so that GET /audits/:id sees it at once. A
 * server whose memory is shared by all customers may omit it for a customer with very many (`redis/pending-marks.ts`).
 */
export interface PendingMark {
  readonly acceptedAt: number;
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  /** Absent: the audit was ingested. */
  readonly source?: 'INTERNAL';
}
