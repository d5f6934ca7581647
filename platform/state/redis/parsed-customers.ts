import type { CustomerAdmission } from '../port.ts';

/** Maximum of customers whose last JSON is kept; evicted in order of insertion. */
const KEPT_CUSTOMERS = 10_000;

/**
 * Parses a customer's JSON once, as long as Redis answers with the same text: Redis is asked with each request, and only
 * the parser is spared. The value is shared, and frozen.
 */
export function parsedCustomers(
  most = KEPT_CUSTOMERS,
): (customerId: string, json: string) => CustomerAdmission {
  const kept = new Map<string, { readonly json: string; readonly customer: CustomerAdmission }>();
  return (customerId, json) => {
    const known = kept.get(customerId);
    if (known?.json === json) return known.customer;
    const customer = Object.freeze(JSON.parse(json) as CustomerAdmission);
    kept.set(customerId, { json, customer });
    if (kept.size > most) kept.delete(kept.keys().next().value as string);
    return customer;
  };
}
