import type { Head } from './fold/rows.ts';

/** Customers kept per partition; a larger cache is begun anew. */
const MAX_CUSTOMERS = 10_000;
const NONE: ReadonlyMap<string, Head> = new Map();

/**
 * Heads that the pieces before have left, per partition: a copy of what the warehouse would answer, and only as long
 * as pieces follow each other without a gap. A gap may mean that another owner folded what lies in it, and a chain
 * that went on from here would fork. Forgotten when a partition is assigned anew and whenever something failed.
 */
export interface HeadCache {
  /** Heads below `offset`, when that is where the piece before has ended. */
  at(partition: number, offset: number): ReadonlyMap<string, Head>;
  /** The piece that ended before `nextOffset` was stored. */
  store(partition: number, nextOffset: number, heads: ReadonlyMap<string, Head>): void;
  forget(partition: number): void;
}

export function createHeadCache(maxCustomers = MAX_CUSTOMERS): HeadCache {
  const partitions = new Map<number, { nextOffset: number; heads: Map<string, Head> }>();
  return {
    at: (partition, offset) => {
      const cached = partitions.get(partition);
      return cached !== undefined && offset === cached.nextOffset ? cached.heads : NONE;
    },
    store: (partition, nextOffset, heads) => {
      const cached = partitions.get(partition);
      const isFull = cached === undefined || cached.heads.size + heads.size > maxCustomers;
      const kept = isFull ? new Map<string, Head>() : cached.heads;
      for (const [customerId, head] of heads) kept.set(customerId, head);
      partitions.set(partition, { nextOffset, heads: kept });
    },
    forget: (partition) => {
      partitions.delete(partition);
    },
  };
}
