import type { SignalRow } from '#schemas/tables/tables.ts';
import type { MemoryStore } from '#services/sink/testing/memory-store.ts';
import { ledgerOf, newestEntries, newestSignals } from './newest-rows.ts';

type Params = Readonly<Record<string, unknown>>;
type Statement = readonly [RegExp, (store: MemoryStore, params: Params) => readonly object[]];

/** A missing bound does not restrict the time. */
export const isWithin = ({ from, to }: Params, at: string): boolean =>
  (from === undefined || Date.parse(at) >= (from as Date).getTime()) &&
  (to === undefined || Date.parse(at) <= (to as Date).getTime());

/** Counted signals: `conditionsOf` of `platform/warehouse/queries/evidence/attestations.ts`. */
export const countedSignals = (store: MemoryStore, params: Params): SignalRow[] =>
  newestSignals(store, params.customerId).filter(
    (row) => row.index < Number(params.below) && row.riskLevel !== '' && isWithin(params, row.createdAt),
  );

const packedSignals = (store: MemoryStore, params: Params): SignalRow[] => {
  const sandboxes = params.sandboxes as readonly string[] | undefined;
  return countedSignals(store, params).filter(
    ({ sandboxId }) => sandboxes === undefined || sandboxes.includes(sandboxId),
  );
};

function packedMoves(store: MemoryStore, params: Params) {
  const packed = new Set(packedSignals(store, params).map(({ auditId }) => auditId));
  return newestEntries(store, params.customerId).filter(
    ({ kind, index, core }) =>
      kind === 'INCIDENT_EVENT' &&
      index < Number(params.below) &&
      core !== null &&
      packed.has((JSON.parse(core) as { signalId: string }).signalId),
  );
}

const extentOf = (rows: readonly { readonly index: number }[]): object[] => [
  { entries: rows.length, first: rows[0]?.index ?? 0, last: rows.at(-1)?.index ?? 0 },
];

const isOfPackage = ({ kind, id }: { readonly kind: string; readonly id: string }): boolean =>
  kind === 'EVIDENCE_EVENT' && id.startsWith('package:');

/** Statements of evidence packages (`platform/warehouse/queries/evidence/packages.ts`). */
export const PACKAGE_STATEMENTS: readonly Statement[] = [
  [
    /SELECT count\(\) AS entries, [^\n]* FROM signals FINAL/,
    (store, params) => extentOf(packedSignals(store, params)),
  ],
  [
    /SELECT count\(\) AS entries, [^\n]* FROM entries FINAL/,
    (store, params) => extentOf(packedMoves(store, params)),
  ],
  [
    /SELECT count\(\) AS entries, [^\n]* FROM ledger\s/,
    (store, params) =>
      extentOf(
        ledgerOf(store, params.customerId).filter(
          ({ index, at }) => index < Number(params.below) && isWithin(params, at),
        ),
      ),
  ],
  [
    /FROM signals FINAL\s+WHERE [^\n]* AND `index` < \{end:UInt64\}/,
    (store, params) =>
      packedSignals(store, params).filter(
        ({ index }) => index >= Number(params.first) && index < Number(params.end),
      ),
  ],
  [
    /FROM entries FINAL WHERE [\s\S]* AND `index` > \{after:Int64\}/,
    (store, params) =>
      packedMoves(store, params)
        .filter(({ index }) => index > Number(params.after))
        .slice(0, Number(params.limit)),
  ],
  [
    /SELECT DISTINCT `customerId`[^\n]* FROM ledger\s/,
    (store, { customerId, from, to }) =>
      ledgerOf(store, customerId).filter(({ index }) => index >= Number(from) && index < Number(to)),
  ],
  [
    /AS others FROM ledger/,
    (store, { customerId, from, to }) => {
      const some = ledgerOf(store, customerId).filter(
        ({ index }) => index >= Number(from) && index < Number(to),
      );
      return [{ others: some.filter((row) => !isOfPackage(row)).length }];
    },
  ],
  [
    /uniqExact\(id\) AS packages/,
    (store, { customerId, below }) => {
      const some = newestEntries(store, customerId).filter(({ index }) => index < Number(below));
      return [{ packages: some.filter(isOfPackage).length }];
    },
  ],
  [
    /SELECT assumeNotNull\(core\) AS core FROM entries\s+WHERE [^\n]* kind = 'ERASURE'/,
    (store, { customerId, from }) =>
      newestEntries(store, customerId).filter(
        ({ kind, index, core }) => kind === 'ERASURE' && index >= Number(from) && core !== null,
      ),
  ],
];
