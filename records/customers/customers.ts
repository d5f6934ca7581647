import { isDeepStrictEqual } from 'node:util';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import {
  type Collection,
  customerCollection,
  DELETED,
  kept,
  systemCollection,
} from '#platform/state/collection.ts';
import { CUSTOMERS, type Documents, type DocumentWrite, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { CustomerType, Plan } from '#schemas/vocabulary.ts';
import type { CustomerRecord } from './customer-record.ts';

/** One small document per customer in the system's scope, because each customer has a separate scope. */
const CUSTOMER_INDEX = 'customerIndex';

export interface NewCustomer {
  readonly id: string;
  readonly name: string;
  readonly type: CustomerType;
  readonly plan: Plan;
  readonly overrides: CustomerRecord['overrides'];
  readonly limits: Pick<CustomerRecord, 'ratePerSecond' | 'burst' | 'auditQuota' | 'sandboxQuota'>;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Document, id = customer id: ids of the last changes, so that a repeat is not taken for a new change. */
export const CUSTOMER_CHANGES = 'customerChanges';
export const CUSTOMER_COLLECTIONS: readonly Collection[] = [
  customerCollection(CUSTOMER_CHANGES, DELETED),
  systemCollection(
    CUSTOMER_INDEX,
    kept('id and time of creation, by which lists and jobs find all customers'),
  ),
];
const REMEMBERED_CHANGES = 20;

export const customerRef = (id: string) => ({ scope: id, collection: CUSTOMERS, id });

export async function getCustomer(documents: Documents, id: string): Promise<CustomerRecord | null> {
  return (await documents.get<CustomerRecord>(customerRef(id)))?.value ?? null;
}

/**
 * Creates the customer, or returns the one created by an earlier attempt with the same id. Writes the index first:
 * after a crash in between it names a customer that does not exist, which lists skip. `beside`: written with the
 * customer.
 */
export async function createCustomer(
  documents: Documents,
  input: NewCustomer,
  beside: readonly DocumentWrite[] = [],
): Promise<CustomerRecord> {
  const { limits, ...rest } = input;
  const record: CustomerRecord = { ...rest, ...limits, active: true };
  await documents.write(SYSTEM_SCOPE, [
    { collection: CUSTOMER_INDEX, id: input.id, value: { createdAt: input.createdAt } },
  ]);
  const outcome = await documents.write(input.id, [
    { collection: CUSTOMERS, id: input.id, expectedVersion: 0, value: record },
    ...beside,
  ]);
  if (outcome.ok) return record;
  const existing = await getCustomer(documents, input.id);
  if (existing === null) throw new Error('a customer document disappeared while it was created');
  return existing;
}

/** Ids of all customers, in order. Creation of some may have failed half-way. */
export const customerIds = (documents: Documents): Promise<string[]> =>
  documents.ids(SYSTEM_SCOPE, CUSTOMER_INDEX);

/** The customers with these ids, in this order; ones whose creation failed half-way are left out. */
export async function customersById(documents: Documents, ids: readonly string[]): Promise<CustomerRecord[]> {
  const customers = await Promise.all(ids.map((id) => getCustomer(documents, id)));
  return customers.filter((customer) => customer !== null);
}

export interface CustomerChange {
  readonly id: string;
  readonly changeId: string;
  /** Whether an earlier attempt may already have made this change. */
  readonly takenOver: boolean;
  /** Returns the changed record; called again when another change was written first. May throw to refuse. */
  readonly change: (record: CustomerRecord) => CustomerRecord;
}

/**
 * Changes a customer, effective from the next request. Concurrent changes are applied one after the other, none is
 * lost, and a repeat is not applied again. null: no such customer.
 */
export function changeCustomer(
  documents: Documents,
  { id, changeId, takenOver, change }: CustomerChange,
): Promise<CustomerRecord | null> {
  const changesRef = { scope: id, collection: CUSTOMER_CHANGES, id };
  return changeDocument<CustomerRecord, CustomerRecord | null>(
    { documents },
    customerRef(id),
    async (stored) => {
      if (stored === null) return unchanged(null);
      const changes = (await documents.get<readonly string[]>(changesRef))?.value ?? [];
      if (takenOver && changes.includes(changeId)) return unchanged(stored.value);
      const record = change(stored.value);
      if (isDeepStrictEqual(record, stored.value)) return unchanged(record);
      const remembered = [...changes, changeId].slice(-REMEMBERED_CHANGES);
      return {
        value: record,
        others: [{ collection: CUSTOMER_CHANGES, id, value: remembered }],
        result: record,
      };
    },
  );
}
