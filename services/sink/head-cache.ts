import type { Assignment } from '../../platform/event-log/port.ts';
import type { Head } from './fold/rows.ts';

/** Customers kept per partition; a larger cache is begun anew. */
const MAX_CUSTOMERS = 10_000;
const NONE: ReadonlyMap<string, Head> = new Map();

/**
 * Heads that the pieces before have left, per partition: a copy of what the warehouse would answer. They belong to one
 * assignment and last only as long as its pieces follow each other without a gap: a gap may mean that another owner
 * folded what lies in it, and a chain that went on from here would fork. What another assignment computed is neither
 * given nor taken. Forgotten whenever something failed.
 */
export interface HeadCache {
  /** The partition's heads are this assignment's from now on; there are none yet. */
  begin(assignment: Assignment): void;
  /** Heads below `offset`, when that is where the piece before has ended. */
  at(assignment: Assignment, offset: number): ReadonlyMap<string, Head>;
  /** The piece from `offset` to before `nextOffset` was stored. */
  store(assignment: Assignment, offset: number, nextOffset: number, heads: ReadonlyMap<string, Head>): void;
  forget(assignment: Assignment): void;
}

interface Cached {
  readonly assignment: Assignment;
  /** Null: no piece was stored, or what is known was forgotten. */
  nextOffset: number | null;
  heads: Map<string, Head>;
}

export function createHeadCache(maxCustomers = MAX_CUSTOMERS): HeadCache {
  const partitions = new Map<number, Cached>();
  const of = (assignment: Assignment): Cached | undefined => {
    const cached = partitions.get(assignment.partition);
    return cached?.assignment === assignment ? cached : undefined;
  };
  return {
    begin: (assignment) => {
      partitions.set(assignment.partition, { assignment, nextOffset: null, heads: new Map() });
    },
    at: (assignment, offset) => {
      const cached = of(assignment);
      return cached?.nextOffset === offset ? cached.heads : NONE;
    },
    store: (assignment, offset, nextOffset, heads) => {
      const cached = of(assignment);
      if (cached === undefined) return;
      const isKept = cached.nextOffset === offset && cached.heads.size + heads.size <= maxCustomers;
      if (!isKept) cached.heads = new Map();
      for (const [customerId, head] of heads) cached.heads.set(customerId, head);
      cached.nextOffset = nextOffset;
    },
    forget: (assignment) => {
      const cached = of(assignment);
      if (cached !== undefined) [cached.nextOffset, cached.heads] = [null, new Map()];
    },
  };
}
