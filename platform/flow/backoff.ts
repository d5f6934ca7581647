export interface Backoff {
  /** Pause after the first failure, ms; it doubles up to `maxMs`. */
  readonly firstMs: number;
  readonly maxMs: number;
  /**
   * In [0, 1): jitter, which shortens a pause by up to half so that clients do not all retry at once. By default none.
   */
  readonly random?: () => number;
}

/** Ms to wait after a failure; `failures`: consecutive failures before it, 0 after the first. */
export function pauseAfter({ firstMs, maxMs, random }: Backoff, failures: number): number {
  const fullMs = Math.min(maxMs, firstMs * 2 ** failures);
  return random === undefined ? fullMs : fullMs * (0.5 + random() / 2);
}
