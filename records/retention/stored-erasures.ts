import { createErasureCover, type ErasureCover } from '#core/evidence/verify/erasure-cover.ts';
import { verifiedErasures } from '#core/evidence/verify/verified-erasures.ts';
import { comparePositions, type LogPosition } from '#core/evidence/verify/verify-leaf.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { erasureRows } from '#platform/warehouse/queries/ledger.ts';
import { storedPositions } from '#platform/warehouse/queries/positions.ts';
import { LEDGER } from '#schemas/topics.ts';

/** Rows of erasures per read: each may name thousands of entries. */
const ROWS_PER_READ = 1_024;

/** Everything in the customer's partition below this position is stored; null: nothing is. */
export async function foldedPosition(warehouse: Warehouse, customerId: string): Promise<LogPosition | null> {
  const partition = partitionOf(customerId, LEDGER.partitions);
  const found = (await storedPositions(warehouse, LEDGER.name)).find((one) => one.partition === partition);
  return found === undefined ? null : { epoch: found.epoch, offset: found.nextOffset };
}

/**
 * What must be missing from the customer's entries `first` to `last`, by folded ERASUREs. Rows that do not match their
 * hashes decide nothing.
 */
export async function storedErasures(
  warehouse: Warehouse,
  customerId: string,
  reaching: { readonly first: number; readonly last: number },
): Promise<ErasureCover> {
  const cover = createErasureCover();
  const folded = await foldedPosition(warehouse, customerId);
  if (folded === null) return cover;
  for (let from: number | null = 0; from !== null; ) {
    const page: Awaited<ReturnType<typeof erasureRows>> = await erasureRows(warehouse, customerId, {
      from,
      limit: ROWS_PER_READ,
      reaching,
    });
    for (const { row, core } of verifiedErasures(customerId, page.ledger, page.entries))
      cover.add(row.index, core, row, comparePositions(row, folded) < 0);
    from = page.next;
  }
  return cover;
}
