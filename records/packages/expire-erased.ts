import type { State } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { erasedSince } from './erased-since.ts';
import { packageListOf } from './package-list.ts';
import { expirePackagesWith, holdsSome } from './packages.ts';

/**
 * Expires packages with content that has been erased since. Called when an ERASURE has been folded, so that it shows at
 * once, and once a minute by the packages job.
 */
export async function expireErased(
  {
    state,
    warehouse,
    now,
  }: { readonly state: State; readonly warehouse: Warehouse; readonly now: () => number },
  customerId: string,
): Promise<void> {
  const { packages } = await packageListOf(state.documents, customerId);
  const ready = packages.filter(({ status }) => status === 'READY');
  if (ready.length === 0) return;
  const erased = await erasedSince(warehouse, customerId, Math.min(...ready.map(({ basis }) => basis.size)));
  if (ready.some(({ file }) => holdsSome(file, erased)))
    await expirePackagesWith(state.documents, customerId, erased, now());
}
