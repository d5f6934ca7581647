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
}
