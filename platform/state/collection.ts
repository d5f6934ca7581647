/** How the erasure of a customer affects the customer's documents in a collection. */
type CollectionErasure =
  /** All are deleted when the customer's records are cleaned. */
  | { readonly by: 'DELETION' }
  /** A separate step deletes them. */
  | { readonly by: 'STEP'; readonly step: string }
  /** They stay, without the customer's data. */
  | { readonly by: 'BLANKING'; readonly keeps: string }
  | { readonly by: 'NOTHING'; readonly because: string };

/**
 * A collection of the state. It is declared next to its name and listed in `records/erasure/collections.ts`, from which
 * erasures, seals and the rights of the roles are derived.
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

/** A collection with documents of all customers, which no erasure deletes as a whole. */
export const systemCollection = (
  name: string,
  erasure: Exclude<CollectionErasure, { readonly by: 'DELETION' }>,
): Collection => ({ name, scope: 'system', erasure });
