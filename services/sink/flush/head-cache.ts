import type { Assignment } from '#platform/event-log/port.ts';
import type { Head } from '../fold/rows.ts';
import { settled } from '../rows/signal-ids.ts';

/** Customers cached per partition; a larger cache is cleared. */
const MAX_CUSTOMERS = 10_000;
const NONE: ReadonlyMap<string, Head> = new Map();

/**
 * Heads after the previous chunks, per partition: a copy of what the warehouse would return. They belong to one
 * assignment and are valid only while its chunks follow each other without a gap: another owner may have folded the
 * records in the gap, and a chain continued from here would fork. Assignments do not share heads. Cleared after any
 * failure.
 */
interface HeadCache {
  /** Starts with no heads for this assignment. */
  begin(assignment: Assignment): void;
  /** Heads below `offset`, if the previous chunk ended there. */
  at(assignment: Assignment, offset: number): ReadonlyMap<string, Head>;
  /** The chunk from `offset` to before `nextOffset` was stored. */
  store(assignment: Assignment, offset: number, nextOffset: number, heads: ReadonlyMap<string, Head>): void;
  forget(assignment: Assignment): void;
}

interface Cached {
  readonly assignment: Assignment;
  /** Null: no chunk was stored, or the cache was cleared. */
  nextOffset: number | null;
  heads: Map<string, Head>;
  /** Customers of the last chunk: individual signal ids are kept only for these. */
  last: readonly string[];
}

export function createHeadCache(maxCustomers = MAX_CUSTOMERS): HeadCache {
  const partitions = new Map<number, Cached>();
  const of = (assignment: Assignment): Cached | undefined => {
    const cached = partitions.get(assignment.partition);
    return cached?.assignment === assignment ? cached : undefined;
  };
  return {
    begin: (assignment) => {
      partitions.set(assignment.partition, { assignment, nextOffset: null, heads: new Map(), last: [] });
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
      for (const customerId of cached.last) {
        const head = cached.heads.get(customerId);
        if (head?.signals !== undefined)
          cached.heads.set(customerId, { ...head, signals: settled(head.signals) });
      }
      for (const [customerId, head] of heads) cached.heads.set(customerId, head);
      cached.last = [...heads.keys()];
      cached.nextOffset = nextOffset;
    },
    forget: (assignment) => {
      const cached = of(assignment);
      if (cached !== undefined) [cached.nextOffset, cached.heads, cached.last] = [null, new Map(), []];
    },
  };
}
