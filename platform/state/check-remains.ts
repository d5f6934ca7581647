import type { Remains } from './port.ts';

/** A prefix without the customer's id would remove other customers' values. */
export function checkRemains({ customerId, expiringPrefix }: Remains): void {
  if (customerId === '' || !expiringPrefix.includes(customerId))
    throw new Error('the prefix of what an erased customer leaves must name the customer');
}
