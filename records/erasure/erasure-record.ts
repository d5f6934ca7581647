import {
  type Collection,
  customerCollection,
  deletedBy,
  systemCollection,
} from '#platform/state/collection.ts';

/**
 * The erasure of a customer: a document with the next phase, so that any process can continue it after a crash. Every
 * step is idempotent. The phases, in order:
 *
 * CLOSING: a closing ERASURE is in flight; every entry after it folds blank. NAMING: ERASUREs name everything stored up
 * to it, 5,000 entries each, one after the other. REMOVING: the sink deletes the blanked rows, and the audits that have
 * no entry, from the tables. DESTROYING: the key that seals everything else is destroyed. CLEANING: the state's records
 * are deleted, and what the state keeps on disk is rewritten.
 */
const ERASURE_PHASES = ['CLOSING', 'NAMING', 'REMOVING', 'DESTROYING', 'CLEANING'] as const;
export type ErasurePhase = (typeof ERASURE_PHASES)[number];

/** Document `ERASURES`, id = customer id, in the customer's scope; deleted when the erasure is complete. */
export interface ErasureProgress {
  /** Part of the ids of its ledger entries. */
  readonly id: string;
  readonly phase: ErasurePhase;
  readonly requestedAt: string;
  /** Id of the entry that must be folded before the next step; null: none. */
  readonly awaited: string | null;
  /** Index of the closing ERASURE, once folded. */
  readonly closedAt: number | null;
  /** All indexes below this one are named by an ERASURE. */
  readonly namedBelow: number;
  /** ISO 8601. */
  readonly destroyedAt: string | null;
}

export const ERASURES = 'customerErasures';
/** One small document per erasure in the system's scope: the work list. */
export const OPEN_ERASURES = 'openErasures';
export const ERASURE_COLLECTIONS: readonly Collection[] = [
  customerCollection(ERASURES, deletedBy('the end of the erasure')),
  systemCollection(OPEN_ERASURES, deletedBy('the end of the erasure')),
];
