import { ENTRIES, LEDGER } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../port.ts';

/** The last entry of a document. */
export interface LastEntry {
  readonly customerId: string;
  /** Place of the document's type in the list that was asked for. */
  readonly type: number;
  /** The first group of the type's pattern. */
  readonly document: string;
  readonly version: number;
  readonly index: number;
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Hex; empty once that part of the entry is erased. */
  readonly coreSalt: string;
  readonly detailSalt: string;
  /** As the chain has them: hex. */
  readonly coreHash: string;
  readonly detailHash: string;
}

/** Documents of a type: ids of its entries (RE2), read as `foldedVersions` does. */
interface DocumentType {
  readonly kind: LedgerKind;
  readonly entryId: string;
}

/**
 * Of each document of these types its last entry: that of the highest version, and of entries with the same version the
 * newest. `customerId` null: of all customers. Entries without a row in the ledger are left out; one with several copies
 * there may be returned as often. In chunks, unordered.
 */
export function lastEntries(
  warehouse: Warehouse,
  types: readonly DocumentType[],
  customerId: string | null,
): AsyncIterable<LastEntry[]> {
  const own = customerId === null ? '' : 'AND customerId = {customerId:String}';
  const cases = (then: (place: number) => string): string =>
    types
      .map((_, n) => `kind = {kind${n}:String} AND match(id, {entryId${n}:String}), ${then(n)}`)
      .join(', ');
  return warehouse.stream<LastEntry>(
    `SELECT customerId, type, document, version, \`index\`, last.1 AS id, last.2 AS at, last.3 AS coreSalt,
       last.4 AS detailSalt, coreHash, detailHash
     FROM (SELECT customerId, \`index\`, coreHash, detailHash FROM ${LEDGER.name}
       WHERE kind IN {kinds:Array(String)} ${own}) AS skeleton
     INNER JOIN (
       SELECT customerId, type, groups[1] AS document, max(number) AS version,
         argMax(\`index\`, (number, \`index\`, revision)) AS \`index\`,
         argMax((id, at, coreSalt, detailSalt), (number, entries.\`index\`, revision)) AS last
       FROM (SELECT customerId, \`index\`, revision, id, at, coreSalt, detailSalt,
           multiIf(${cases(String)}, -1) AS type,
           multiIf(${cases((n) => `extractGroups(id, {entryId${n}:String})`)}, []) AS groups,
           greatest(toUInt64OrZero(groups[2]), 1) AS number
         FROM ${ENTRIES.name} WHERE kind IN {kinds:Array(String)} ${own}) AS entries
       WHERE type >= 0
       GROUP BY customerId, type, document) AS entry
     USING (customerId, \`index\`)`,
    {
      ...(customerId === null ? {} : { customerId }),
      kinds: [...new Set(types.map(({ kind }) => kind))],
      ...Object.fromEntries(
        types.flatMap(({ kind, entryId }, n) => [
          [`kind${n}`, kind],
          [`entryId${n}`, entryId],
        ]),
      ),
    },
  );
}
