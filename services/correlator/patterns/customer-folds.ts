import type { CorrelationFold } from '#core/correlate/fold/fold.ts';
import type { ReportedFinding } from '#core/correlate/fold/told-finding.ts';

/** A customer's fold while its partition is here. */
export interface HeldFold {
  readonly customerId: string;
  readonly partition: number;
  readonly fold: CorrelationFold;
  /** Of the log, when the last entry was folded; and the chain's hash there, lower-case hex (empty: not known). */
  epoch: number;
  hash: string;
  /** What was found and is not in the log yet. Nothing is saved before it is. */
  unsent: ReportedFinding[];
  /** Entries were folded that no snapshot holds. */
  isDirty: boolean;
  /** About how many bytes it holds, as it was when it was last saved. */
  size: number;
}

export interface CustomerFolds {
  has(customerId: string): boolean;
  /** The one asked for last goes last. */
  get(customerId: string): HeldFold | undefined;
  put(held: HeldFold): HeldFold;
  resize(held: HeldFold, size: number): void;
  forget(customerId: string): void;
  /** Another owner may have gone on with them. */
  forgetPartition(partition: number): void;
  ofPartition(partition: number): HeldFold[];
  /** Those that make room for others, the longest unused first: to be saved, then forgotten. */
  surplus(inUse: ReadonlySet<string>): HeldFold[];
}

/** What a new customer is taken for until it is saved first, in bytes. */
export const NEW_SIZE = 64 * 1024;
/** Room is made for some at a time, because each making costs a statement. */
const LEFT_SHARE = 0.75;

/**
 * The folds of customers whose partitions are here, up to about `maxBytes`. Beyond that the longest unused are
 * saved and let go: what is found does not depend on it.
 */
export function customerFolds(maxBytes: number): CustomerFolds {
  /** The one used last at the end. */
  const known = new Map<string, HeldFold>();
  let total = 0;
  const forget = (customerId: string): void => {
    total -= known.get(customerId)?.size ?? 0;
    known.delete(customerId);
  };
  const put = (held: HeldFold): HeldFold => {
    forget(held.customerId);
    known.set(held.customerId, held);
    total += held.size;
    return held;
  };
  const ofPartition = (partition: number): HeldFold[] =>
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
      const going: HeldFold[] = [];
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
