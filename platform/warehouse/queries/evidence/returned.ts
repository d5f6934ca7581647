import type { ErasureScope } from '#schemas/ledger/erasure.v1.ts';
import { BLANK_CORE, BLANK_DETAIL } from '#schemas/ledger/signal-columns.ts';
import { AUDITS, ENTRIES, type EntryRow, SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import type { Warehouse } from '../../port.ts';
import type { FoundAudit } from '../audits.ts';
import { REQUEST_SECONDS, selectList } from '../select-list.ts';

/** Erased content that has been stored again. Rows are read without FINAL, so that nothing is hidden. */

/** Rows per read: enough for what a fold left, and a bound on rows inserted by other programs. */
const ROWS_PER_READ = 20_000;

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** Properties of the row of an erased audit: set, and cleared. */
const ERASED_AUDIT =
  'erased AND provider IS NULL AND model IS NULL AND riskLevel IS NULL AND empty(violations)';

/** Those of these audits whose row in the list is not the blank row of an erased audit. */
export async function auditsWithContent(
  warehouse: Warehouse,
  customerId: string,
  auditIds: readonly string[],
): Promise<string[]> {
  if (auditIds.length === 0) return [];
  const rows = await warehouse.query<{ auditId: string }>(
    `SELECT DISTINCT auditId FROM audits FINAL
     WHERE customerId = {customerId:String} AND auditId IN {auditIds:Array(String)} AND NOT (${ERASED_AUDIT})
     SETTINGS use_skip_indexes_if_final = 1, optimize_move_to_prewhere_if_final = 0`,
    { customerId, auditIds: [...auditIds] },
    LIMITS,
  );
  return rows.map(({ auditId }) => auditId);
}

/** All rows of signals at these indexes, and of these audits at any index. */
export async function storedSignals(
  warehouse: Warehouse,
  customerId: string,
  { indexes, auditIds }: { readonly indexes: readonly number[]; readonly auditIds: readonly string[] },
): Promise<SignalRow[]> {
  if (indexes.length === 0) return [];
  return warehouse.query(
    `SELECT ${selectList(SIGNALS)} FROM signals
     WHERE customerId = {customerId:String}
       AND (\`index\` IN {indexes:Array(UInt64)} OR auditId IN {auditIds:Array(String)})
     ORDER BY \`index\`, revision LIMIT ${ROWS_PER_READ}`,
    { customerId, indexes: [...indexes], auditIds: auditIds.length === 0 ? [''] : [...auditIds] },
  );
}

/** All rows of other entries at these indexes. */
export async function storedEntries(
  warehouse: Warehouse,
  customerId: string,
  indexes: readonly number[],
): Promise<EntryRow[]> {
  if (indexes.length === 0) return [];
  return warehouse.query(
    `SELECT ${selectList(ENTRIES)} FROM entries
     WHERE customerId = {customerId:String} AND \`index\` IN {indexes:Array(UInt64)}
     ORDER BY \`index\`, revision LIMIT ${ROWS_PER_READ}`,
    { customerId, indexes: [...indexes] },
  );
}

/** All rows of these audits in the list. */
export const storedAudits = (
  warehouse: Warehouse,
  customerId: string,
  auditIds: readonly string[],
): Promise<FoundAudit[]> =>
  warehouse.query(
    `SELECT ${selectList(AUDITS, ['version'])} FROM audits
     WHERE customerId = {customerId:String} AND auditId IN {auditIds:Array(String)} ORDER BY rank LIMIT ${ROWS_PER_READ}`,
    { customerId, auditIds: [...auditIds] },
  );

const areBlank = (blanks: Readonly<Record<string, unknown>>): string =>
  Object.entries(blanks)
    .map(([name, value]) => {
      if (value === null) return `${name} IS NULL`;
      if (Array.isArray(value)) return `empty(${name})`;
      return typeof value === 'string' ? `${name} = '${value}'` : `${name} = ${Number(value)}`;
    })
    .join(' AND ');
const BLANK_SIGNAL = areBlank({ ...BLANK_DETAIL, detailSalt: '' });
const BLANK_ENTRY = areBlank({ detail: null, detailSalt: '' });
/** What an erasure leaves of a row, by its scope. */
const BLANK_ROWS = {
  signals: {
    ALL: `erased = 'ALL' AND ${BLANK_SIGNAL} AND ${areBlank({ ...BLANK_CORE, coreSalt: '' })}`,
    DETAIL: `erased != '' AND ${BLANK_SIGNAL}`,
  },
  entries: {
    ALL: `erased = 'ALL' AND ${BLANK_ENTRY} AND ${areBlank({ core: null, coreSalt: '' })}`,
    DETAIL: `erased != '' AND ${BLANK_ENTRY}`,
  },
  audits: { ALL: ERASED_AUDIT, DETAIL: ERASED_AUDIT },
} as const;

/**
 * Deletes all rows of these indexes and audits that contain more than an erasure leaves, and waits until they are gone.
 */
export async function deleteContent(
  warehouse: Warehouse,
  table: keyof typeof BLANK_ROWS,
  scope: ErasureScope,
  { customerId, indexes, ids }: { customerId: string; indexes: readonly number[]; ids: readonly string[] },
): Promise<void> {
  const named = [
    ...(indexes.length === 0 ? [] : ['`index` IN {indexes:Array(UInt64)}']),
    ...(ids.length === 0 ? [] : ['auditId IN {ids:Array(String)}']),
  ];
  await warehouse.command(
    `ALTER TABLE ${table} DELETE WHERE customerId = {customerId:String} AND (${named.join(' OR ')})
       AND NOT (${BLANK_ROWS[table][scope]}) SETTINGS mutations_sync = 2`,
    {
      customerId,
      ...(indexes.length === 0 ? {} : { indexes: [...indexes] }),
      ...(ids.length === 0 ? {} : { ids: [...ids] }),
    },
  );
}
