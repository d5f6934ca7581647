import type { CorrelationFold } from '#core/correlate/fold/fold.ts';
import type { ReportedFinding } from '#core/correlate/fold/reported-finding.ts';

/** A customer's fold while its partition is assigned here. */
export interface CustomerFold {
  readonly customerId: string;
  readonly partition: number;
  readonly fold: CorrelationFold;
  /** The log's epoch when the last entry was folded, and the chain's hash there, lower-case hex (empty: not known). */
  epoch: number;
  hash: string;
  /** Findings that are not in the log yet. Nothing is saved before they are. */
  unsent: ReportedFinding[];
  /** True when entries were folded that no snapshot holds. */
  isDirty: boolean;
  /** Approximate size in bytes at the last save. */
  size: number;
}

export interface CustomerFolds {
  has(customerId: string): boolean;
  /** Marks it as the most recently used. */
  get(customerId: string): CustomerFold | undefined;
  put(held: CustomerFold): CustomerFold;
  resize(held: CustomerFold, size: number): void;
  forget(customerId: string): void;
  /** Another owner may have continued with them. */
  forgetPartition(partition: number): void;
  ofPartition(partition: number): CustomerFold[];
  /** Folds that make room for others, least recently used first: to be saved, then forgotten. */
  surplus(inUse: ReadonlySet<string>): CustomerFold[];
}

/** Assumed size of a new customer until its first save, in bytes. */
export const NEW_SIZE = 64 * 1024;
/** Room is made for several at once, because each round costs a statement. */
const LEFT_SHARE = 0.75;

/**
 * The folds of customers whose partitions are assigned here, up to about `maxBytes`. Beyond that the least recently
 * used are saved and released: findings do not depend on it.
 */
export function customerFolds(maxBytes: number): CustomerFolds {
  /** The most recently used is last. */
  const known = new Map<string, CustomerFold>();
  let total = 0;
  const forget = (customerId: string): void => {
    total -= known.get(customerId)?.size ?? 0;
    known.delete(customerId);
  };
  const put = (held: CustomerFold): CustomerFold => {
    forget(held.customerId);
    known.set(held.customerId, held);
    total += held.size;
    return held;
  };
  const ofPartition = (partition: number): CustomerFold[] =>
    [...known.values()].filter((held) => held.partition === partition);
  return {
    has: (customerId) => known.has(customerId),
    get: (customerId) => {
      const held = known.get(customerId);
      return held === undefined ? undefined : put(held);
    },
    put,
    resize: (held, size) => {
      if (known.get(held.customerId) === held) total += size - held.size;
      held.size = size;
    },
    forget,
    forgetPartition: (partition) => {
      for (const { customerId } of ofPartition(partition)) forget(customerId);
    },
    ofPartition,
    surplus: (inUse) => {
      if (total <= maxBytes) return [];
      const going: CustomerFold[] = [];
      let left = total;
      for (const held of known.values()) {
        if (left <= maxBytes * LEFT_SHARE) break;
        if (inUse.has(held.customerId)) continue;
        going.push(held);
        left -= held.size;
      }
      return going;
    },
  };
}
