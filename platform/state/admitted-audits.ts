/** Audits of one customer that are durable in the log and acknowledged to a client, or soon will be. */
export interface AdmittedAudits {
  readonly customerId: string;
  /** Epoch of their log. A later epoch restarts the count. */
  readonly epoch: number;
  /** When the first of them was accepted, Unix ms; the others were accepted within the same minute. */
  readonly acceptedAt: number;
  readonly count: number;
}

/** A customer's count. It may miss audits, but never counts one twice. */
export interface AdmittedCount {
  readonly epoch: number;
  /**
   * When counting started, Unix ms: only audits accepted from then on are included. Counting an audit that was accepted
   * up to a minute earlier moves it back, because counts do not arrive in the order of acceptance.
   */
  readonly since: number;
  readonly total: number;
}
