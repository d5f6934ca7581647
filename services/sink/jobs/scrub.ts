import type { Warehouse } from '#platform/warehouse/port.ts';
import { deleteRows, hiddenRows, SCRUBBED_TABLES } from '#platform/warehouse/queries/evidence/erased-rows.ts';

/** Keys per mutation. */
const KEYS_PER_ROUND = 1_000;

/**
 * Deletes the rows hidden by tombstones, so that erased content is gone from disk too. Runs after erasures and daily: a
 * restart or a former owner of a partition may write an erased row again, hidden under its tombstone. A separate job,
 * because a mutation takes seconds and would delay a flush. Idempotent; returns the deleted rows per table.
 * `customerId`: only this customer.
 */
export async function scrubErased(
  warehouse: Warehouse,
  customerId: string | null = null,
): Promise<Readonly<Record<string, number>>> {
  const deleted: Record<string, number> = {};
  for (const table of SCRUBBED_TABLES) {
    deleted[table.name] = 0;
    for (;;) {
      const hidden = await hiddenRows(warehouse, table, KEYS_PER_ROUND, customerId);
      if (hidden.length === 0) break;
      const rows = hidden.flatMap(({ key, levels }) => {
        const shown = Math.max(...levels);
        return levels.filter((level) => level < shown).map((level) => [...key, level]);
      });
      await deleteRows(warehouse, table, rows);
      deleted[table.name]! += rows.length;
    }
  }
  return deleted;
}
