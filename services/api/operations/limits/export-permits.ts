import { Refusal } from '#platform/flow/refusal.ts';
import { createCustomerPermits } from './customer-permits.ts';

/** How many exports run at once. */
export interface ExportPermits {
  /**
   * Acquires one; the returned function releases it, once. Throws TOO_MANY_AT_ONCE if exports of the customer are
   * running, and UNAVAILABLE if those of others hold all permits.
   */
  take(customerId: string): () => void;
}

const RETRY_AFTER_SECONDS = 5;

/** Readers may be slow, so each customer has its own limit. */
export function createExportPermits(limits: Parameters<typeof createCustomerPermits>[0]): ExportPermits {
  const permits = createCustomerPermits(limits);
  return {
    take: (customerId) => {
      const release = permits.take(customerId);
      if (release !== null) return release;
      const [code, whose] = permits.holds(customerId)
        ? (['TOO_MANY_AT_ONCE', 'of this customer '] as const)
        : (['UNAVAILABLE', ''] as const);
      throw new Refusal(code, {
        message: `Too many exports ${whose}at once. Try again later.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    },
  };
}
