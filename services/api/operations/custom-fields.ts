import { Refusal } from '#platform/flow/refusal.ts';
import { MAX_CUSTOM_FIELDS_BYTES, MAX_CUSTOM_FIELDS_DEPTH } from '#schemas/api/audits.ts';

/** Throws if a customer's custom fields are too many or too deep. */
export function checkCustomFields(fields: Record<string, unknown> | undefined): void {
  if (fields === undefined) return;
  const fits =
    isShallow(fields, MAX_CUSTOM_FIELDS_DEPTH) &&
    Buffer.byteLength(JSON.stringify(fields)) <= MAX_CUSTOM_FIELDS_BYTES;
  if (!fits) throw new Refusal('CUSTOM_FIELDS_TOO_LARGE');
}

/** Every value is one level, including a scalar. */
function isShallow(value: unknown, levels: number): boolean {
  if (levels === 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((child) => isShallow(child, levels - 1));
}
