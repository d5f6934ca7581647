/** Places that customers share. */
export interface Shares {
  /** Takes one; the answer gives it back, once. Null: there is none for this customer now. */
  take(customerId: string): (() => void) | null;
}

/**
 * A customer has its share and no more. Of the last places it gets less than others are left with: who has one already
 * takes another only while more are free than it has, so that a few customers together never have all of them.
 */
export function createShares({
  total,
  perCustomer,
}: {
  readonly total: number;
  readonly perCustomer: number;
}): Shares {
  const taken = new Map<string, number>();
  let all = 0;
  return {
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
