import { type Documents, SANDBOX_SLUGS, type SandboxHead } from '#platform/state/port.ts';
import { nearestName } from '#schemas/nearest-name.ts';
import { normaliseSlug } from '../documents/sandbox-record.ts';

/** Maximum slugs of a customer to compare. */
const MAX_COMPARED_SLUGS = 500;
/** Similar slugs looked up: the nearest may belong to a deleted sandbox. */
const MAX_LOOKED_UP = 3;

/** Whether the customer has an active sandbox with this slug. */
export const hasSlug = async (documents: Documents, customerId: string, slug: string): Promise<boolean> =>
  (await headOf(documents, customerId, normaliseSlug(slug))) !== null;

/** The slug of the customer's own sandboxes that was probably meant; null: none is similar. */
export async function nearestSlug(
  documents: Documents,
  customerId: string,
  sent: string,
): Promise<string | null> {
  let slugs = (await documents.ids(customerId, SANDBOX_SLUGS)).slice(0, MAX_COMPARED_SLUGS);
  for (let looked = 0; looked < MAX_LOOKED_UP; looked += 1) {
    const nearest = nearestName(sent, slugs, MAX_COMPARED_SLUGS);
    if (nearest === null) return null;
    const head = await headOf(documents, customerId, nearest);
    if (head !== null) return head.slug;
    slugs = slugs.filter((slug) => slug !== nearest);
  }
  return null;
}

async function headOf(
  documents: Documents,
  customerId: string,
  normalised: string,
): Promise<SandboxHead | null> {
  const ref = { scope: customerId, collection: SANDBOX_SLUGS, id: normalised };
  const head = (await documents.get<SandboxHead>(ref))?.value;
  return head === undefined || head.deleted ? null : head;
}
