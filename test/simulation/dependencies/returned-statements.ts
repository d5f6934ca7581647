import { isBlank } from '#core/evidence/verify/verify-content.ts';
import type { AuditRow, EntryRow, SignalRow } from '#schemas/tables/tables.ts';
import type { MemoryStore } from '#services/sink/testing/memory-store.ts';
import { ledgerOf } from './newest-rows.ts';

type Params = Readonly<Record<string, unknown>>;
type Statement = readonly [RegExp, (store: MemoryStore, params: Params) => readonly object[]];

/** Statements about erased content that is stored again (`platform/warehouse/queries/evidence/returned.ts`, `ledger.ts`). */
export const RETURNED_STATEMENTS: readonly Statement[] = [
  [
    /SELECT DISTINCT auditId FROM audits FINAL/,
    (store, { customerId, auditIds }) =>
      store
        .final()
        .audits.filter(
          (row) => row.customerId === customerId && has(auditIds, row.auditId) && !isErased(row),
        ),
  ],
  [
    /FROM signals\s+WHERE customerId = \{customerId:String\}\s+AND \(`index` IN/,
    ({ rows }, { customerId, indexes, auditIds }) =>
      rows.signals.filter(
        (row) => row.customerId === customerId && (has(indexes, row.index) || has(auditIds, row.auditId)),
      ),
  ],
  [
    /FROM entries\s+WHERE customerId = \{customerId:String\} AND `index` IN \{indexes/,
    ({ rows }, { customerId, indexes }) =>
      rows.entries.filter((row) => row.customerId === customerId && has(indexes, row.index)),
  ],
  [
    /FROM audits\s+WHERE customerId = \{customerId:String\} AND auditId IN/,
    ({ rows }, { customerId, auditIds }) =>
      rows.audits
        .filter((row) => row.customerId === customerId && has(auditIds, row.auditId))
        .map(({ version: _version, ...row }) => row),
  ],
  [
    /SELECT `customerId`[^\n]* FROM ledger\s+WHERE [^\n]* AND kind = 'ERASURE' AND `index` >=/,
    (store, { customerId, from, limit }) =>
      ledgerOf(store, customerId)
        .filter(({ kind, index }) => kind === 'ERASURE' && index >= Number(from))
        .slice(0, Number(limit)),
  ],
  [
    /SELECT `customerId`[^\n]* FROM entries\s+WHERE [^\n]* AND kind = 'ERASURE' AND `index` >=/,
    ({ rows }, { customerId, from, limit }) =>
      rows.entries
        .filter((row) => row.customerId === customerId && row.kind === 'ERASURE' && row.index >= Number(from))
        .sort((one, other) => one.index - other.index)
        .slice(0, Number(limit)),
  ],
  [
    /FROM ledger WHERE customerId = \{customerId:String\} AND `index` >= \{from:UInt64\}/,
    (store, { customerId, from, to }) =>
      ledgerOf(store, customerId).filter(({ index }) => index >= Number(from) && index <= Number(to)),
  ],
  [
    /count\(\) AS entries, max\(`index`\) AS head FROM ledger/,
    (store, { customerId }) => {
      const all = ledgerOf(store, customerId);
      return [{ entries: all.length, head: all.at(-1)?.index ?? 0 }];
    },
  ],
];

const has = (list: unknown, one: unknown): boolean =>
  (list as readonly unknown[] | undefined)?.includes(one) ?? false;

const isErased = ({ erased, provider, model, riskLevel, violations }: AuditRow): boolean =>
  erased && provider === null && model === null && riskLevel === null && violations.length === 0;

/** Executes `deleteContent`; returns false for another statement. */
export function deleteContentOf(store: MemoryStore, sql: string, params: Params): boolean {
  const table = /^ALTER TABLE (\w+) DELETE WHERE [^\n]* AND \([^\n]*\)\s+AND NOT \(/.exec(sql)?.[1];
  if (table === undefined) return false;
  const scope = sql.includes("erased = 'ALL'") ? 'ALL' : 'DETAIL';
  const { customerId, indexes, ids } = params;
  const isMeant = (row: { customerId: string; index?: number; auditId?: string }): boolean =>
    row.customerId === customerId && (has(indexes, row.index) || has(ids, row.auditId));
  const { rows } = store;
  const isLeft = (row: SignalRow | EntryRow): boolean => !isMeant(row) || isBlank(row, scope);
  if (table === 'signals') rows.signals = rows.signals.filter(isLeft);
  else if (table === 'entries') rows.entries = rows.entries.filter(isLeft);
  else
    rows.audits = rows.audits.filter(
      (row) => !isMeant({ customerId: row.customerId, auditId: row.auditId }) || isErased(row),
    );
  return true;
}
