import { EnforcedPolicies } from '#core/evidence/policies/enforced.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  customersWithPolicies,
  policiesBelow,
} from '#platform/warehouse/queries/evidence/policies/enforcement.ts';
import { applyPolicy } from './folded-policy.ts';

/** What a process knows of a customer's policies and of how far it has compared its ledger with them. */
export interface PolicyBook {
  readonly epoch: number;
  readonly policies: EnforcedPolicies;
  /** Entries below this index are applied. */
  next: number;
}

/** The first of a customer's entries in a batch. */
interface Beginning {
  readonly customerId: string;
  readonly epoch: number;
  readonly first: number;
}

interface PolicyBooks {
  /** Tells in one question which customers of a batch have no policies: nearly all, and nothing is read of them. */
  meet(beginnings: readonly Beginning[]): Promise<void>;
  /** The customer's policies as its entries below `index` have them. */
  at(customerId: string, epoch: number, index: number): Promise<PolicyBook>;
  forget(customerId: string): void;
  forgetAll(): void;
}

/** Rules and customers that a process remembers; the customer asked for longest ago goes. */
const MAX_REMEMBERED = 200_000;

/**
 * Books of customers. They are copies of what the ledger says, kept while records follow each other; after a gap, a
 * fault or a new assignment they are read anew.
 */
export function policyBooks(warehouse: Warehouse, most = MAX_REMEMBERED): PolicyBooks {
  const known = new Map<string, PolicyBook>();
  /** What each was counted as when it was remembered: a book grows while it is used. */
  const sizes = new Map<string, number>();
  let held = 0;
  const forget = (customerId: string): void => {
    held -= sizes.get(customerId) ?? 0;
    sizes.delete(customerId);
    known.delete(customerId);
  };
  const remember = (customerId: string, book: PolicyBook): void => {
    forget(customerId);
    const size = 1 + book.policies.size;
    known.set(customerId, book);
    sizes.set(customerId, size);
    held += size;
    for (const oldest of known.keys()) {
      if (held <= most || oldest === customerId) return;
      forget(oldest);
    }
  };
  const usable = (customerId: string, epoch: number, index: number): PolicyBook | null => {
    const found = known.get(customerId);
    return found !== undefined && found.epoch === epoch && found.next >= index ? found : null;
  };
  return {
    meet: async (beginnings) => {
      const unknown = beginnings.filter((one) => usable(one.customerId, one.epoch, one.first) === null);
      if (unknown.length === 0) return;
      const having = await customersWithPolicies(
        warehouse,
        unknown.map(({ customerId }) => customerId),
      );
      // What was told is stored: a policy below these entries would have been found.
      for (const { customerId, epoch, first } of unknown)
        if (!having.has(customerId))
          remember(customerId, { epoch, policies: new EnforcedPolicies(), next: first });
    },
    forget,
    forgetAll: () => {
      known.clear();
      sizes.clear();
      held = 0;
    },
    at: async (customerId, epoch, index) => {
      const book = usable(customerId, epoch, index) ?? {
        epoch,
        policies: await policiesAt(warehouse, customerId, index),
        next: index,
      };
      remember(customerId, book);
      return book;
    },
  };
}

/** As the ledger's first `below` entries have them. */
export async function policiesAt(
  warehouse: Warehouse,
  customerId: string,
  below: number,
): Promise<EnforcedPolicies> {
  const policies = new EnforcedPolicies();
  for (const entry of await policiesBelow(warehouse, customerId, below)) applyPolicy(policies, entry);
  return policies;
}
