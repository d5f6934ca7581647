import type { Look } from '../served/look.ts';
import type { World } from '../world/world.ts';

/** What a check is given: the service after a change, and what it served before and serves now. */
export interface Changed {
  readonly world: World;
  readonly before: Look;
  readonly after: Look;
}

/** Entries of the ledger that a check names, when it names any. */
export interface Finding {
  readonly entries: readonly number[];
}

/** What a check finds; null: nothing. */
export type Check = (changed: Changed) => Promise<Finding | null>;

/** Something was found, and no entry is named. */
export const SOMETHING: Finding = { entries: [] };
