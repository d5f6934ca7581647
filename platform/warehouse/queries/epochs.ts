import { columnNames } from '#schemas/tables/table.ts';
import { LOG_EPOCHS } from '#schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';

/** The newest epoch of the log that filled this warehouse, or null if it was never filled. */
export async function warehouseEpoch(warehouse: Warehouse): Promise<{ epoch: number; setUp: string } | null> {
  const rows = await warehouse.query<{ epoch: number; setUp: string }>(
    `SELECT epoch, setUp FROM ${LOG_EPOCHS.name} ORDER BY epoch DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** `at`: Unix ms. */
export async function storeWarehouseEpoch(
  warehouse: Warehouse,
  { epoch, setUp }: { readonly epoch: number; readonly setUp: string },
  at: number,
): Promise<void> {
  await warehouse.insert(LOG_EPOCHS.name, columnNames(LOG_EPOCHS), [
    { epoch, setUp, at: new Date(at).toISOString() },
  ]);
}
