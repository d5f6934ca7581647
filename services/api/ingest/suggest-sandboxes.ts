import { Refusal } from '#platform/flow/refusal.ts';
import type { Documents } from '#platform/state/port.ts';
import { nearestSlug } from '#records/sandboxes/nearest-slug.ts';
import type { ReadItem } from '../operations/read-item.ts';
import { isRefused, type Result } from './submit-batch.ts';

/** Maximum slugs of one batch that are looked up among the customer's own. */
const MAX_SUGGESTED = 5;

/**
 * Adds to the results without a sandbox which one was probably meant. The slug that was sent is not repeated, because
 * the answer may be remembered.
 */
export async function withSuggestions(
  documents: Documents,
  customerId: string,
  items: readonly ReadItem[],
  results: readonly Result[],
): Promise<Result[]> {
  const refusals = new Map<string, Refusal>();
  for (const [index, result] of results.entries()) {
    const item = items[index];
    const isUnknown = isRefused(result) && result.code === 'SANDBOX_NOT_FOUND';
    if (!isUnknown || item === undefined || item instanceof Refusal) continue;
    const { sandboxSlug } = item.triplet;
    if (refusals.has(sandboxSlug) || refusals.size === MAX_SUGGESTED) continue;
    const nearest = await nearestSlug(documents, customerId, sandboxSlug);
    const message = `${result.message}. Did you mean "${nearest}"?`;
    refusals.set(sandboxSlug, nearest === null ? result : new Refusal(result.code, { message }));
  }
  return results.map((result, index) => {
    const item = items[index];
    if (!isRefused(result) || item === undefined || item instanceof Refusal) return result;
    return result.code === 'SANDBOX_NOT_FOUND' ? (refusals.get(item.triplet.sandboxSlug) ?? result) : result;
  });
}
