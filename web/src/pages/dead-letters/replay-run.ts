import type { ReplayOutcome, ReplayRefusal } from '#schemas/api/dead-letters.ts';

/** What is replayed: the list's filters, in the API's form. */
export type ReplayFilter = Readonly<Record<string, string | undefined>>;

export interface ReplayProgress {
  /** Dead letters that matched when the replay started. */
  readonly matched: number;
  readonly replayed: number;
  readonly skipped: Readonly<Partial<Record<ReplayRefusal, number>>>;
}

/** Where a replay resumes after a call without a response: the same key makes it the same call. */
export interface ReplayPoint {
  readonly cursor: string | undefined;
  readonly idempotencyKey: string;
  readonly progress: ReplayProgress;
}

interface ReplayBody {
  readonly filter: ReplayFilter;
  readonly dryRun: boolean;
  readonly cursor?: string;
}

export interface ReplayCalls {
  /** POST /dead-letters/replay. */
  post(body: ReplayBody, idempotencyKey: string | undefined): Promise<ReplayOutcome>;
  newKey(): string;
  /** Called before each call that replays, with where to resume. */
  onPoint(point: ReplayPoint): void;
  readonly signal: AbortSignal;
}

export const processed = ({ replayed, skipped }: ReplayProgress): number =>
  replayed + Object.values(skipped).reduce((sum, one) => sum + one, 0);

export const countMatching = async (
  calls: Pick<ReplayCalls, 'post'>,
  filter: ReplayFilter,
): Promise<number> => (await calls.post({ filter, dryRun: true }, undefined)).matched;

/** Where a new replay starts. */
export const startPoint = (matched: number, idempotencyKey: string): ReplayPoint => ({
  cursor: undefined,
  idempotencyKey,
  progress: { matched, replayed: 0, skipped: {} },
});

const added = (progress: ReplayProgress, { replayed, skipped }: ReplayOutcome): ReplayProgress => {
  const counts: Partial<Record<ReplayRefusal, number>> = { ...progress.skipped };
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1;
  return { ...progress, replayed: progress.replayed + replayed, skipped: counts };
};

/**
 * Replays call by call, each from where the previous one ended, until all are covered or it is stopped between two
 * calls. A failed call ends it, at the last value passed to `onPoint`.
 */
export async function replayFrom(
  filter: ReplayFilter,
  from: ReplayPoint,
  calls: ReplayCalls,
): Promise<{ readonly isDone: boolean; readonly progress: ReplayProgress }> {
  let point = from;
  for (;;) {
    calls.onPoint(point);
    if (calls.signal.aborted) return { isDone: false, progress: point.progress };
    const { cursor, idempotencyKey } = point;
    const body = { filter, dryRun: false, ...(cursor === undefined ? {} : { cursor }) };
    const outcome = await calls.post(body, idempotencyKey);
    const progress = added(point.progress, outcome);
    const next = outcome.nextCursor;
    // A cursor that did not move would repeat forever.
    if (next === null || next === cursor) return { isDone: true, progress };
    point = { cursor: next, idempotencyKey: calls.newKey(), progress };
  }
}
