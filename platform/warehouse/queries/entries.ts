import { ENTRIES, type EntryRow } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS, selectList } from './select-list.ts';

/** Content of an entry of any kind but SIGNAL, by its index; null if it is not stored. */
export async function entryAt(
  warehouse: Warehouse,
  customerId: string,
  kind: LedgerKind,
  index: number,
): Promise<EntryRow | null> {
  const rows = await warehouse.query<EntryRow>(
    `SELECT ${selectList(ENTRIES)} FROM ${ENTRIES.name} FINAL
     WHERE customerId = {customerId:String} AND \`index\` = {index:UInt64} AND kind = {kind:String} LIMIT 1`,
    { customerId, index, kind },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0] ?? null;
}
