import type { DeadLetterReason } from '#schemas/api/dead-letters.ts';

export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
  /** When the first of them ended FAILED. */
  readonly oldestAt: string;
  /** Highest count first. */
  readonly sandboxes: readonly { readonly slug: string; readonly count: number }[];
}

/** Merges rows per reason and sandbox into one entry per reason, highest count first. */
export function byReason(rows: readonly DeadLetterReason[]): ReasonCount[] {
  return [...new Set(rows.map(({ reason }) => reason))]
    .map((reason) => ({ reason, own: rows.filter((row) => row.reason === reason) }))
    .map(({ reason, own }) => ({
      reason,
      count: own.reduce((sum, { count }) => sum + count, 0),
      oldestAt: own.map(({ oldestAt }) => oldestAt).sort()[0]!,
      sandboxes: own
        .map(({ sandboxSlug, count }) => ({ slug: sandboxSlug, count }))
        .sort((a, b) => b.count - a.count),
    }))
    .sort((a, b) => b.count - a.count);
}
