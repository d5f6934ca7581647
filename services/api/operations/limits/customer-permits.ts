/** Permits without a queue: a customer that cannot get one immediately is refused. */
interface CustomerPermits {
  /** Acquires a permit; the returned function releases it, once. Null: none is available for this customer. */
  take(customerId: string): (() => void) | null;
  /** Whether the customer has one. */
  holds(customerId: string): boolean;
}

/**
 * Each customer has its own limit. When few permits are left, a customer that already holds some gets another only
 * while more are free than it holds, so a few customers together never hold all of them.
 */
export function createCustomerPermits({
  total,
  perCustomer,
}: {
  readonly total: number;
  readonly perCustomer: number;
}): CustomerPermits {
  const heldBy = new Map<string, number>();
  let all = 0;
  return {
    holds: (customerId) => heldBy.has(customerId),
    take: (customerId) => {
      const own = heldBy.get(customerId) ?? 0;
      if (own >= perCustomer || total - all <= own) return null;
      all++;
      heldBy.set(customerId, own + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        all--;
        const left = (heldBy.get(customerId) ?? 1) - 1;
        if (left === 0) heldBy.delete(customerId);
        else heldBy.set(customerId, left);
      };
    },
  };
}
