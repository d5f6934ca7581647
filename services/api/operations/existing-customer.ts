import { Refusal } from '#platform/flow/refusal.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type { Directory } from '#records/directory.ts';
import { isId } from '#schemas/api/fields/is-id.ts';

/** 404 for an unknown id. */
export async function existingCustomer(directory: Directory, id: string): Promise<CustomerRecord> {
  const customer = isId(id) ? await directory.getCustomer(id) : null;
  if (customer === null) throw new Refusal('NOT_FOUND');
  return customer;
}

export function refuseErased(record: CustomerRecord): void {
  if (record.erasure !== undefined) throw new Refusal('CUSTOMER_ERASED');
}
