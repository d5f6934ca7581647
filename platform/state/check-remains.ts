/** Expiring values left over from an erased customer. */
export interface Remains {
  readonly customerId: string;
  /** Expiring values whose keys have this prefix are removed, including claimed ones. It contains the customer's id. */
  readonly expiringPrefix: string;
}

/** A prefix without the customer's id would remove other customers' values. */
export function checkRemains({ customerId, expiringPrefix }: Remains): void {
  if (customerId === '' || !expiringPrefix.includes(customerId))
    throw new Error('the prefix of an erased customer’s leftovers must contain the customer’s id');
}
