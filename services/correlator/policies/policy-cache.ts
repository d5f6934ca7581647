import { EnforcedPolicies } from '#core/evidence/policies/enforced.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  customersWithPolicies,
  policiesBelow,
} from '#platform/warehouse/queries/evidence/policies/enforcement.ts';
import { applyPolicy } from './folded-policy.ts';

/** What a process knows about a customer's policies, and how far it has compared the ledger with them. */
export interface CachedPolicies {
  readonly epoch: number;
  readonly policies: EnforcedPolicies;
  /** Entries below this index are applied. */
  next: number;
}

/** A customer's first entry in a batch. */
interface FirstEntry {
  readonly customerId: string;
  readonly epoch: number;
  readonly first: number;
}

interface PolicyCache {
  /**
   * Finds in one query the customers of a batch that have no policies: nearly all, and nothing more is read for them.
   */
  preload(firstEntries: readonly FirstEntry[]): Promise<void>;
  /** The customer's policies after its entries below `index`. */
  at(customerId: string, epoch: number, index: number): Promise<CachedPolicies>;
  forget(customerId: string): void;
  forgetAll(): void;
}

/** Maximum number of rules and customers remembered; the least recently used customer is dropped. */
const MAX_REMEMBERED = 200_000;

/**
 * Caches of customers' policies. They are copies of the ledger, kept while records follow each other; after a gap, a
 * fault or a new assignment they are read again.
 */
export function policyCache(warehouse: Warehouse, maxSize = MAX_REMEMBERED): PolicyCache {
  const known = new Map<string, CachedPolicies>();
  /** Size of each when it was remembered: it grows while it is used. */
  const sizes = new Map<string, number>();
  let total = 0;
  const forget = (customerId: string): void => {
    total -= sizes.get(customerId) ?? 0;
    sizes.delete(customerId);
    known.delete(customerId);
  };
  const remember = (customerId: string, cached: CachedPolicies): void => {
    forget(customerId);
    const size = 1 + cached.policies.size;
    known.set(customerId, cached);
    sizes.set(customerId, size);
    total += size;
    for (const oldest of known.keys()) {
      if (total <= maxSize || oldest === customerId) return;
      forget(oldest);
    }
  };
  const usable = (customerId: string, epoch: number, index: number): CachedPolicies | null => {
    const found = known.get(customerId);
    return found !== undefined && found.epoch === epoch && found.next >= index ? found : null;
  };
  return {
    preload: async (firstEntries) => {
      const unknown = firstEntries.filter((one) => usable(one.customerId, one.epoch, one.first) === null);
      if (unknown.length === 0) return;
      const having = await customersWithPolicies(
        warehouse,
        unknown.map(({ customerId }) => customerId),
      );
      // Published entries are stored: a policy below them would have been found.
      for (const { customerId, epoch, first } of unknown)
        if (!having.has(customerId))
          remember(customerId, { epoch, policies: new EnforcedPolicies(), next: first });
    },
    forget,
    forgetAll: () => {
      known.clear();
      sizes.clear();
      total = 0;
    },
    at: async (customerId, epoch, index) => {
      const cached = usable(customerId, epoch, index) ?? {
        epoch,
        policies: await policiesAt(warehouse, customerId, index),
        next: index,
      };
      remember(customerId, cached);
      return cached;
    },
  };
}

/** The policies after the ledger's first `below` entries. */
export async function policiesAt(
  warehouse: Warehouse,
  customerId: string,
  below: number,
): Promise<EnforcedPolicies> {
  const policies = new EnforcedPolicies();
  for (const entry of await policiesBelow(warehouse, customerId, below)) applyPolicy(policies, entry);
  return policies;
}
