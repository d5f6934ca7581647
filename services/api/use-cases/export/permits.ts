import { createCustomerPermits } from '../../customer-permits.ts';
import { ApiError } from '../../errors.ts';

/** How many exports run at once. */
export interface ExportPermits {
  /** Acquires one, or throws UNAVAILABLE; the returned function releases it, once. */
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
      throw new ApiError('UNAVAILABLE', {
        message: 'Too many exports run at once; repeat the request later',
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      });
    },
  };
}
