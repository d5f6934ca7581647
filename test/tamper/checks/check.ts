import type { Snapshot } from '../served/snapshot.ts';
import type { World } from '../world/world.ts';

/** Input of a check: the service after a change, and its responses before and after. */
export interface Changed {
  readonly world: World;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** Ledger entries that a check reports, if any. */
export interface Finding {
  readonly entries: readonly number[];
}

/** Returns what a check finds, or null. */
export type Check = (changed: Changed) => Promise<Finding | null>;

/** The check found something but names no entry. */
export const SOMETHING: Finding = { entries: [] };
