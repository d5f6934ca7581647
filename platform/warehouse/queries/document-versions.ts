import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../port.ts';

/** The highest version of a document in the ledger. */
export interface FoldedVersion {
  readonly customerId: string;
  /** The pattern's first group. */
  readonly document: string;
  readonly version: number;
}

/**
 * Highest version of each document, among entries of a kind whose ids match: one row per document, however many
 * entries. The first group of `entryId` (RE2) is the document, the second the version, 1 if absent. In chunks,
 * unordered. Erased entries keep their ids and count too.
 */
export const foldedVersions = (
  warehouse: Warehouse,
  kind: LedgerKind,
  entryId: string,
): AsyncIterable<FoldedVersion[]> =>
  warehouse.stream<FoldedVersion>(
    `SELECT customerId, groups[1] AS document, max(greatest(toUInt64OrZero(groups[2]), 1)) AS version
     FROM (SELECT customerId, extractGroups(id, {entryId:String}) AS groups FROM entries WHERE kind = {kind:String})
     WHERE notEmpty(groups)
     GROUP BY customerId, document`,
    { kind, entryId },
  );
