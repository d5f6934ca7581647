/**
 * Kept from the 202 until the sink has stored the acceptance (2 h at most): lets GET /audits/:id see it at once. A
 * server whose memory all customers share may omit it for a customer with very many (`redis/pending-marks.ts`).
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
