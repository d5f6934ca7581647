import type { Warehouse } from '../port.ts';
import { OWNED_BY } from './owned-by.ts';
import { storedPositions } from './positions.ts';
import { REQUEST_SECONDS } from './select-list.ts';

export interface ReconciliationRow {
  /** From the acceptances: audits that were ever in the list. */
  readonly accepted: number;
  /** Those accepted from `since` on, and those of them accepted before `before`. */
  readonly acceptedSince: number;
  readonly acceptedBefore: number;
  /** From the audit list. */
  readonly stored: number;
  readonly inFlight: number;
  readonly retrying: number;
  readonly deadLettered: number;
  readonly erased: number;
  /** From the audit list: those that completed, erased or not, as far as the ledger is stored. */
  readonly completed: number;
  /** From the ledger: SIGNAL entries, erased or not, as far as it is stored. */
  readonly ledgerSignals: number;
}

/**
 * `FOLDED`: the row's record is below the position, so everything derived from it is stored. Above it, a flush may have
 * stored a ledger entry but not its audit yet.
 */
const FOLDED = '(epoch < {epoch:UInt32} OR (epoch = {epoch:UInt32} AND `offset` < {nextOffset:UInt64}))';

/** An erased audit carries the offset of its ERASURE; what was erased is always below that. */
const BOOKS = `
  SELECT * FROM (
    SELECT countIf(status = 'COMPLETED' AND NOT audits.erased) AS stored,
      countIf(status = 'QUEUED' AND NOT audits.erased) AS inFlight,
      countIf(status = 'PROCESSING' AND NOT audits.erased) AS retrying,
      countIf(status = 'FAILED' AND NOT audits.erased) AS deadLettered,
      countIf(audits.erased) AS erased,
      countIf(status = 'COMPLETED' AND {epoch:UInt32} > 0 AND (audits.erased OR ${FOLDED})) AS completed
    FROM audits FINAL WHERE ${OWNED_BY}
  ) AS list CROSS JOIN (
    SELECT count() AS accepted,
      countIf(acceptedAt >= {since:DateTime64(3, 'UTC')}) AS acceptedSince,
      countIf(acceptedAt >= {since:DateTime64(3, 'UTC')} AND acceptedAt < {before:DateTime64(3, 'UTC')}) AS acceptedBefore
    FROM acceptances FINAL WHERE customerId = {customerId:String}
  ) AS taken CROSS JOIN (
    SELECT countIf(kind = 'SIGNAL' AND ${FOLDED}) AS ledgerSignals
    FROM ledger FINAL WHERE customerId = {customerId:String}
  ) AS chain`;

interface ReconciliationQuery {
  readonly customerId: string;
  /** Partition of the ledger that holds the customer's entries. */
  readonly ledgerTopic: string;
  readonly ledgerPartition: number;
  /** Unix ms. */
  readonly since: number;
  readonly before: number;
}

/** Counts of a customer's audits by outcome, each from its own table, in one statement. */
export async function readReconciliation(
  warehouse: Warehouse,
  query: ReconciliationQuery,
): Promise<ReconciliationRow> {
  const { customerId, ledgerTopic, ledgerPartition, since, before } = query;
  const positions = await storedPositions(warehouse, ledgerTopic);
  // Epochs begin at 1: without a position nothing is folded.
  const { epoch = 0, nextOffset = 0 } = positions.find(({ partition }) => partition === ledgerPartition) ?? {
    epoch: positions[0]?.epoch,
  };
  const rows = await warehouse.query<ReconciliationRow>(
    BOOKS,
    { customerId, epoch, nextOffset, since: new Date(since), before: new Date(before) },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0] ?? NOTHING;
}

const NOTHING: ReconciliationRow = {
  accepted: 0,
  acceptedSince: 0,
  acceptedBefore: 0,
  stored: 0,
  inFlight: 0,
  retrying: 0,
  deadLettered: 0,
  erased: 0,
  completed: 0,
  ledgerSignals: 0,
};
