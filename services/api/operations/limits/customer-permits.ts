/** Permits without a queue: a customer that cannot get one now is refused. */
interface CustomerPermits {
  /** Acquires a permit; the returned function releases it, once. Null: none is available for this customer now. */
  take(customerId: string): (() => void) | null;
  /** Whether the customer has one. */
  holds(customerId: string): boolean;
}

/**
 * Each customer has its own limit. When few permits are left, a customer that already holds some gets another only
 * while more are free than it holds, so that a few customers together never hold all of them.
 */
export function createCustomerPermits({
  total,
  perCustomer,
}: {
  readonly total: number;
  readonly perCustomer: number;
}): CustomerPermits {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    holds: (customerId) => taken.has(customerId),
    take: (customerId) => {
      const own = taken.get(customerId) ?? 0;
      if (own >= perCustomer || total - all <= own) return null;
      all++;
      taken.set(customerId, own + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        all--;
        const left = (taken.get(customerId) ?? 1) - 1;
        if (left === 0) taken.delete(customerId);
        else taken.set(customerId, left);
      };
    },
  };
}
