import { columnNames } from '../../../schemas/tables/table.ts';
import { LOG_EPOCHS } from '../../../schemas/tables/tables.ts';
import type { Warehouse } from '../port.ts';

/** The newest epoch of the log that this warehouse was filled from, or null when it never was filled. */
export async function warehouseEpoch(warehouse: Warehouse): Promise<number | null> {
  const rows = await warehouse.query<{ epoch: number; rows: number }>(
    `SELECT max(epoch) AS epoch, count() AS rows FROM ${LOG_EPOCHS.name}`,
  );
  const row = rows[0];
  return row === undefined || row.rows === 0 ? null : row.epoch;
}

/** `at`: Unix ms. */
export async function storeWarehouseEpoch(warehouse: Warehouse, epoch: number, at: number): Promise<void> {
  await warehouse.insert(LOG_EPOCHS.name, columnNames(LOG_EPOCHS), [
    { epoch, at: new Date(at).toISOString() },
  ]);
}
