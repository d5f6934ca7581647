import type { Seed } from './ids.ts';

/**
 * Runs a change at most once, however often its request is repeated. `seed` holds the ids and times of the new records.
 * An attempt that takes over (`takenOver`) gets the first attempt's seed, with which `run` finds what was already done.
 * `Answered`: what the caller makes of the result, or of the first one.
 */
export type Once<Made, Answered> = (
  run: (seed: Seed, takenOver: boolean) => Promise<Made>,
) => Promise<Answered>;

/** A new record, or the existing one. */
export interface Made<Data> {
  readonly data: Data;
  readonly isNew: boolean;
}
