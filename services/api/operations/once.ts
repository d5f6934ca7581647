import type { Seed } from './ids.ts';

/**
 * Runs a change at most once, however often its request is repeated. `seed` holds the ids and times of what is made; an
 * attempt that takes over (`takenOver`) gets the first attempt's seed, by which `run` finds what was done already.
 * `Answered`: what whoever asked makes of the result, or of the first one.
 */
export type Once<Made, Answered> = (
  run: (seed: Seed, takenOver: boolean) => Promise<Made>,
) => Promise<Answered>;

/** A record that was made, or the one that was there already. */
export interface Made<Data> {
  readonly data: Data;
  readonly isNew: boolean;
}
