/** Customers whose records succeeded recently, in any partition of a stream. */
export interface RecentCustomers {
  noteSuccess(customerId: string): void;
  /** Whether a record of any other customer succeeded recently. */
  anyBut(others: ReadonlySet<string>): boolean;
}

/** How long a success counts as a sign of the service's health. */
const RECENT_MS = 10 * 60_000;
/** More than `others` can ever contain: each of those customers has a fixed share of a limit. */
const MAX_CUSTOMERS = 64;

/** `clock`: monotonic, ms. */
export function recentCustomers(clock: () => number): RecentCustomers {
  /** Customer -> time of the last success, ms of the clock; oldest first. */
  const recent = new Map<string, number>();
  return {
    noteSuccess: (customerId) => {
      recent.delete(customerId);
      recent.set(customerId, clock());
      const oldest = recent.keys().next().value;
      if (recent.size > MAX_CUSTOMERS && oldest !== undefined) recent.delete(oldest);
    },
    anyBut: (others) => {
      const since = clock() - RECENT_MS;
      return [...recent].some(([customerId, at]) => at >= since && !others.has(customerId));
    },
  };
}
