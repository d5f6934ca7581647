import type { MemoryStore } from '#services/sink/testing/memory-store.ts';
import { ledgerOf, newestEntries, newestSignals } from './newest-rows.ts';

type Params = Readonly<Record<string, unknown>>;
type Statement = readonly [RegExp, (store: MemoryStore, params: Params) => readonly object[]];

/** Statements of retention runs and of erasures (`platform/warehouse/queries/evidence/retention.ts`, `entries.ts`, `ledger.ts`). */
export const RETENTION_STATEMENTS: readonly Statement[] = [
  [/AND erased != 'ALL' AND sandboxId IN/, (store, params) => due(store, params, ['', 'DETAIL'])],
  [/AND erased = '' AND sandboxId IN/, (store, params) => due(store, params, [''])],
  [/AS frameworks\s+FROM entries/, namedFrameworks],
  [
    /FROM entries FINAL\s+WHERE customerId = \{customerId:String\} AND `index` = /,
    (store, { customerId, index, kind }) =>
      newestEntries(store, customerId).filter((row) => row.index === index && row.kind === kind),
  ],
  [
    /FROM ledger\s+WHERE customerId = \{customerId:String\} AND `index` IN\s+\(SELECT/,
    (store, { customerId, entryId }) => ledgerOf(store, customerId).filter((row) => row.entryId === entryId),
  ],
];

function due(store: MemoryStore, params: Params, erased: readonly string[]): object[] {
  const { customerId, until, sandboxIds, limit, afterAt, afterId } = params;
  const isBehind = (at: number, auditId: string): boolean => {
    if (afterAt === undefined) return true;
    const after = (afterAt as Date).getTime();
    return at > after || (at === after && auditId > String(afterId));
  };
  return newestSignals(store, customerId)
    .map((row) => ({ row, at: Date.parse(row.createdAt) }))
    .filter(
      ({ row, at }) =>
        at <= (until as Date).getTime() &&
        isBehind(at, row.auditId) &&
        erased.includes(row.erased) &&
        (sandboxIds as readonly string[]).includes(row.sandboxId),
    )
    .sort((one, other) => one.at - other.at || (one.row.auditId < other.row.auditId ? -1 : 1))
    .slice(0, Number(limit))
    .map(({ row: { auditId, index, createdAt } }) => ({ auditId, index, createdAt }));
}

function namedFrameworks({ rows }: MemoryStore, { customerId }: Params): object[] {
  const named = new Map<string, Set<string>>();
  for (const row of rows.entries) {
    if (row.customerId !== customerId || row.kind !== 'POLICY_EVENT' || row.core === null) continue;
    if (!row.id.startsWith('sandbox:')) continue;
    const { sandboxId, regulations } = JSON.parse(row.core) as { sandboxId: string; regulations: string[] };
    named.set(sandboxId, new Set([...(named.get(sandboxId) ?? []), ...regulations]));
  }
  return [...named].map(([sandboxId, frameworks]) => ({ sandboxId, frameworks: [...frameworks] }));
}
