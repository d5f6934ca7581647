import { readErasureCore } from '#core/evidence/verify/verify-erasure.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { erasuresFrom } from '#platform/warehouse/queries/evidence/packages.ts';
import type { ErasedRanges } from './packages.ts';

/** Indexes erased by the entries of a ledger from index `from`. */
export async function erasedSince(
  warehouse: Warehouse,
  customerId: string,
  from: number,
): Promise<ErasedRanges> {
  const cores = await erasuresFrom(warehouse, customerId, from);
  return cores.flatMap((core) => readErasureCore(core)?.ranges ?? []);
}
