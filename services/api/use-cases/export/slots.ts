import { ApiError } from '../../errors.ts';
import { createShares } from '../../shares.ts';

/** How many exports run at once. */
export interface ExportSlots {
  /** Takes one, or throws UNAVAILABLE; the answer gives it back, once. */
  take(customerId: string): () => void;
}

const RETRY_AFTER_SECONDS = 5;

/** Readers may be slow, so that a customer has its share of them and no more. */
export function createExportSlots(limits: Parameters<typeof createShares>[0]): ExportSlots {
  const shares = createShares(limits);
  return {
    take: (customerId) => {
      const giveBack = shares.take(customerId);
      if (giveBack !== null) return giveBack;
      throw new ApiError('UNAVAILABLE', {
        message: 'Too many exports run at once; repeat the request later',
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      });
    },
  };
}
