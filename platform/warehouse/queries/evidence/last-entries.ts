import { ENTRIES, LEDGER } from '#schemas/tables/tables.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../port.ts';

/** The last entry of a document. */
export interface LastEntry {
  readonly customerId: string;
  /** Index of the document's type in the requested list. */
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
  /** Hex, as in the chain. */
  readonly coreHash: string;
  readonly detailHash: string;
}

/** Documents of one type, by the ids of its entries (RE2); groups as in `foldedVersions`. */
interface DocumentType {
  readonly kind: LedgerKind;
  readonly entryId: string;
}

/**
 * The last entry of each document of these types: the one with the highest version, and the newest if several have it.
 * `customerId` null: of all customers. Entries without a ledger row are left out; one with several copies there may be
 * returned several times. In chunks, unordered.
 */
export function lastEntries(
  warehouse: Warehouse,
  types: readonly DocumentType[],
  customerId: string | null,
): AsyncIterable<LastEntry[]> {
  const own = customerId === null ? '' : 'AND customerId = {customerId:String}';
  const cases = (then: (index: number) => string): string =>
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
