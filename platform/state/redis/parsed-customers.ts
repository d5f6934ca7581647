import { jsonIn } from '../document-text.ts';
import { CUSTOMERS, type CustomerAdmission } from '../port.ts';
import { pathOf } from './keys.ts';

/** Maximum number of customers whose last JSON is kept; evicted in order of insertion. */
const KEPT_CUSTOMERS = 10_000;

/**
 * Checks and parses a customer's text once, until Redis returns a different one: each request still reads from Redis,
 * and only parsing is saved. The value is shared, and frozen.
 */
export function parsedCustomers(
  maxCustomers = KEPT_CUSTOMERS,
): (customerId: string, text: string) => CustomerAdmission {
  const kept = new Map<string, { readonly text: string; readonly customer: CustomerAdmission }>();
  return (customerId, text) => {
    const known = kept.get(customerId);
    if (known?.text === text) return known.customer;
    const path = pathOf({ scope: customerId, collection: CUSTOMERS, id: customerId });
    const customer = Object.freeze(JSON.parse(jsonIn(path, text)) as CustomerAdmission);
    kept.set(customerId, { text, customer });
    if (kept.size > maxCustomers) kept.delete(kept.keys().next().value as string);
    return customer;
  };
}
