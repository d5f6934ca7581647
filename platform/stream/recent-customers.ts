/** Customers whose records went well lately, in any partition of a stream. */
export interface RecentCustomers {
  wentWell(customerId: string): void;
  /** Whether a record of a customer that is none of these went well lately. */
  anyBut(others: ReadonlySet<string>): boolean;
}

/** How long a record that went well tells of the service's health. */
const LATELY_MS = 10 * 60_000;
/** More than can be excluded at once: each of those has a fixed share of a limit. */
const MAX_CUSTOMERS = 64;

/** `clock`: milliseconds of a clock that nobody sets. */
export function recentCustomers(clock: () => number): RecentCustomers {
  /** Customer -> when, ms of the clock; in the order of the last time. */
  const recent = new Map<string, number>();
  return {
    wentWell: (customerId) => {
      recent.delete(customerId);
      recent.set(customerId, clock());
      const oldest = recent.keys().next().value;
      if (recent.size > MAX_CUSTOMERS && oldest !== undefined) recent.delete(oldest);
    },
    anyBut: (others) => {
      const since = clock() - LATELY_MS;
      return [...recent].some(([customerId, at]) => at >= since && !others.has(customerId));
    },
  };
}
