/** What the erasure of a customer does to the documents that a collection holds of it. */
type CollectionErasure =
  /** All are deleted while the customer's records are cleaned. */
  | { readonly by: 'DELETION' }
  /** They are deleted by a step of their own. */
  | { readonly by: 'STEP'; readonly step: string }
  /** They stay, without what the customer has given us. */
  | { readonly by: 'BLANKING'; readonly keeps: string }
  | { readonly by: 'NOTHING'; readonly because: string };

/**
 * A collection of the state. It is declared next to its name and listed in `records/erasure/collections.ts`, which
 * erasures, seals and the rights of the roles are made from.
 */
export interface Collection {
  readonly name: string;
  /** Its documents are in the scopes of customers, or in the system's. */
  readonly scope: 'customers' | 'system';
  readonly erasure: CollectionErasure;
}

export const DELETED = { by: 'DELETION' } as const;
export const deletedBy = (step: string) => ({ by: 'STEP', step }) as const;
export const blanked = (keeps: string) => ({ by: 'BLANKING', keeps }) as const;
export const kept = (because: string) => ({ by: 'NOTHING', because }) as const;

export const customerCollection = (name: string, erasure: CollectionErasure): Collection => ({
  name,
  scope: 'customers',
  erasure,
});

/** It holds documents of all customers, so that no erasure deletes the whole of it. */
export const systemCollection = (
  name: string,
  erasure: Exclude<CollectionErasure, { readonly by: 'DELETION' }>,
): Collection => ({ name, scope: 'system', erasure });
