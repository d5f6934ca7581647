/** How soon after it was opened somebody has judged an incident: this service's own bar, no framework names one; ms. */
const TRIAGED_WITHIN_MS = 3 * 86_400_000;

/** When an incident was opened, and when somebody first moved it on, Unix ms; null: it still waits for that. */
export interface Triage {
  readonly openedAt: number;
  readonly judgedAt: number | null;
}

/** How soon incidents were judged. */
export interface TriageFacts {
  readonly judged: number;
  /** Judged later than within three days, or waiting for longer than that. */
  readonly late: number;
  /** Median of those that were judged, ms; null: none was. */
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
