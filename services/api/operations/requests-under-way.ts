/**
 * Requests of this process that may append an audit, by the audit's customer: from before they may reserve anything
 * until nothing more of theirs can arrive. Other internal calls append none.
 */
export interface RequestsUnderWay {
  /** Runs the work of a request of the customer, or about the customer. */
  during<Result>(customerId: string, work: () => Promise<Result>): Promise<Result>;
  isUnderWay(customerId: string): boolean;
}

/** Holds one entry per customer with a request in progress, no more. */
export function countRequests(): RequestsUnderWay {
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
    isUnderWay: (customerId) => counts.has(customerId),
  };
}
