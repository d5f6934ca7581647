/**
 * Maximum time between opening an incident and its first judgement: this service's own limit, no framework names one;
 * ms.
 */
const TRIAGED_WITHIN_MS = 3 * 86_400_000;

/** When an incident was opened and when its status first changed, Unix ms; null: not yet. */
export interface Triage {
  readonly openedAt: number;
  readonly judgedAt: number | null;
}

/** How quickly incidents were judged. */
export interface TriageFacts {
  readonly judged: number;
  /** Judged after more than three days, or waiting for longer than that. */
  readonly late: number;
  /** Median of the judged ones, ms; null: none was judged. */
  readonly medianMs: number | null;
}

/** `at`: as of when, Unix ms. */
export function triageFacts(incidents: readonly Triage[], at: number): TriageFacts {
  const waitedMs = incidents.flatMap(({ openedAt, judgedAt }) =>
    judgedAt === null ? [] : [judgedAt - openedAt],
  );
  waitedMs.sort((one, other) => one - other);
  const late = incidents.filter(({ openedAt, judgedAt }) => (judgedAt ?? at) - openedAt > TRIAGED_WITHIN_MS);
  return {
    judged: waitedMs.length,
    late: late.length,
    medianMs: waitedMs[Math.floor((waitedMs.length - 1) / 2)] ?? null,
  };
}
