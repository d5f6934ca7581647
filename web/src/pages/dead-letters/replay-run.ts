import type { ReplayOutcome, ReplayRefusal } from '#schemas/api/dead-letters.ts';

/** What is replayed: the filters of the list, as the API takes them. */
export type ReplayFilter = Readonly<Record<string, string | undefined>>;

export interface ReplayProgress {
  /** Dead letters that matched when the replay began. */
  readonly matched: number;
  readonly replayed: number;
  readonly skipped: Readonly<Partial<Record<ReplayRefusal, number>>>;
}

/** Where a replay goes on after a call whose answer did not come: the same key makes it the same call. */
export interface ReplayPlace {
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
  /** Before each call that replays: where it would have to go on. */
  onPlace(place: ReplayPlace): void;
  readonly signal: AbortSignal;
}

export const lookedAt = ({ replayed, skipped }: ReplayProgress): number =>
  replayed + Object.values(skipped).reduce((sum, one) => sum + one, 0);

export const countMatching = async (
  calls: Pick<ReplayCalls, 'post'>,
  filter: ReplayFilter,
): Promise<number> => (await calls.post({ filter, dryRun: true }, undefined)).matched;

/** The place of a replay that begins. */
export const beginning = (matched: number, idempotencyKey: string): ReplayPlace => ({
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
 * Replays call by call, each from where the one before ended, until all were looked at or it is stopped between two
 * calls. A call that fails ends it, at the place that `onPlace` was told last.
 */
export async function replayFrom(
  filter: ReplayFilter,
  from: ReplayPlace,
  calls: ReplayCalls,
): Promise<{ readonly isDone: boolean; readonly progress: ReplayProgress }> {
  let place = from;
  for (;;) {
    calls.onPlace(place);
    if (calls.signal.aborted) return { isDone: false, progress: place.progress };
    const { cursor, idempotencyKey } = place;
    const body = { filter, dryRun: false, ...(cursor === undefined ? {} : { cursor }) };
    const outcome = await calls.post(body, idempotencyKey);
    const progress = added(place.progress, outcome);
    const next = outcome.nextCursor;
    // A place that did not move would be looked at for ever.
    if (next === null || next === cursor) return { isDone: true, progress };
    place = { cursor: next, idempotencyKey: calls.newKey(), progress };
  }
}
