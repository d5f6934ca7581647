/**
 * This process's requests that may append an audit, by the audit's customer: from before they may reserve anything
 * until they can append nothing more. Other internal calls append none.
 */
export interface RequestsInProgress {
  /** Runs the work of a request by the customer, or about the customer. */
  during<Result>(customerId: string, work: () => Promise<Result>): Promise<Result>;
  isInProgress(customerId: string): boolean;
}

/** Holds only one entry per customer with a request in progress. */
export function countRequests(): RequestsInProgress {
  const counts = new Map<string, number>();
  return {
    during: async (customerId, work) => {
      counts.set(customerId, (counts.get(customerId) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (counts.get(customerId) ?? 0) - 1;
        if (left > 0) counts.set(customerId, left);
        else counts.delete(customerId);
      }
    },
    isInProgress: (customerId) => counts.has(customerId),
  };
}
