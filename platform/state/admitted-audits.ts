/** Audits of one customer that are durable in the log and acknowledged to a client, or about to be. */
export interface AdmittedAudits {
  readonly customerId: string;
  /** Epoch of the log that holds them. A later epoch restarts the count. */
  readonly epoch: number;
  /** Acceptance of the first of them, Unix ms; the others were accepted within the same minute. */
  readonly acceptedAt: number;
  readonly count: number;
}

/** A customer's count. It may miss audits, but never counts one twice. */
export interface AdmittedCount {
  readonly epoch: number;
  /**
   * When the counting began, Unix ms: only audits accepted from then on are included. Counting an audit that was
   * accepted up to a minute earlier moves it back, because counts do not come in the order of acceptance.
   */
  readonly since: number;
  readonly total: number;
  /**
   * Counts of the last minutes, by minute since 1970 (UTC), in order: minute of acceptance, or of counting where that
   * was more than a minute later. At most `RECENT_LIMIT`; `total` includes them.
   */
  readonly recent: readonly { readonly minute: number; readonly count: number }[];
}

/** Minutes that `AdmittedCount.recent` covers, and its maximum of entries (a clock may be set back). */
export const RECENT_MINUTES = 15;
export const RECENT_LIMIT = 32;
