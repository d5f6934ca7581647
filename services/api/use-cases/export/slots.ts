import { ApiError } from '../../errors.ts';

/** How many exports run at once. */
export interface ExportSlots {
  /** Takes one, or throws UNAVAILABLE; the answer gives it back, once. */
  take(customerId: string): () => void;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * A customer, whose readers may be slow, has its share and no more. Of the last ones it gets less than others are left
 * with: who has one already takes another only while more are free than it has, so that a few customers together never
 * have all of them.
 */
export function createExportSlots({
  total,
  perCustomer,
}: {
  total: number;
  perCustomer: number;
}): ExportSlots {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take: (customerId) => {
      const own = taken.get(customerId) ?? 0;
      if (own >= perCustomer || total - all <= own) {
        throw new ApiError('UNAVAILABLE', {
          message: 'Too many exports run at once; repeat the request later',
          headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
        });
      }
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
