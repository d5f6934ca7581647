import { MAX_ERASURE_TARGETS } from '#schemas/ledger/erasure.v1.ts';
import type { Warehouse } from '../port.ts';
import { OWNED_BY } from './owned-by.ts';
import { REQUEST_SECONDS } from './select-list.ts';

export interface ReconciliationRow {
  /** From the acceptances: audits that have ever been in the list. */
  readonly accepted: number;
  /** Of those, the ones accepted since `since`. */
  readonly acceptedSince: number;
  /** From the table of signals, which serves all queries; from the list where the ledger is not stored yet. */
  readonly stored: number;
  /** From the audit list: audits that completed and were not erased, then all others by outcome. */
  readonly listed: number;
  readonly inFlight: number;
  readonly retrying: number;
  readonly deadLettered: number;
  readonly erased: number;
  /** From the audit list: completed audits, erased or not, as far as the ledger is stored. */
  readonly completed: number;
  /** From the ledger: SIGNAL entries, erased or not, as far as it is stored. */
  readonly ledgerSignals: number;
  /** From the ledger: those of them that its ERASURE entries name. */
  readonly erasedSignals: number;
  /** Signals that exist according to the ledger, minus those served, as far as the ledger is stored. */
  readonly signalDifference: number;
}

/**
 * `FOLDED`: the row's record is below the position, so everything derived from it is stored. Above it, a flush may have
 * stored a ledger entry but not its audit yet.
 */
const FOLDED = '(epoch < {epoch:UInt32} OR (epoch = {epoch:UInt32} AND `offset` < {nextOffset:UInt64}))';

/** The audit's ERASURE has reached the audit list, but perhaps no other table yet. */
const BEING_ERASED = `(audits.erased AND status = 'COMPLETED' AND {epoch:UInt32} > 0 AND NOT ${FOLDED})`;

/**
 * Indexes that ERASUREs of scope ALL name, of any kind, and the index of the entry that closed the customer. The number
 * of targets is bounded like that of the log's own entries, in case the table was tampered with.
 */
const ERASURES = `
  SELECT \`index\` AS at, JSONExtractBool(content, 'closing') AS closing,
    arrayFilter(named -> named < at, arrayFlatten(arrayMap(
      one -> range(one.1, least(one.2, one.1 + ${MAX_ERASURE_TARGETS}) + 1),
      JSONExtract(content, 'ranges', 'Array(Tuple(UInt64, UInt64))')))) AS named
  FROM (SELECT \`index\`, assumeNotNull(core) AS content FROM entries FINAL
    WHERE customerId = {customerId:String} AND kind = 'ERASURE' AND core IS NOT NULL AND ${FOLDED})
  WHERE JSONExtractString(content, 'scope') = 'ALL' AND has(JSONExtract(content, 'kinds', 'Array(String)'), 'SIGNAL')`;

/**
 * A blank row and an erased audit carry the offset of their ERASURE, which is always above what it erased. While an
 * ERASURE is being folded, what it names still counts as stored.
 */
const COUNTS = `
  WITH (SELECT if(count() = 0, 0, max(\`index\`) + 1) FROM ledger
    WHERE customerId = {customerId:String} AND {epoch:UInt32} > 0 AND ${FOLDED}) AS entries
  SELECT accepted, acceptedSince, served + unfolded AS stored, listed, inFlight, retrying, deadLettered, gone AS erased, completed,
    ledgerSignals, erasedSignals, toInt64(ledgerSignals) - erasedSignals - served AS signalDifference
  FROM (
    SELECT countIf(status = 'COMPLETED' AND NOT audits.erased AND NOT ${FOLDED}) AS unfolded,
      countIf(status = 'COMPLETED' AND (NOT audits.erased OR ${BEING_ERASED})) AS listed,
      countIf(status = 'QUEUED' AND NOT audits.erased) AS inFlight,
      countIf(status = 'PROCESSING' AND NOT audits.erased) AS retrying,
      countIf(status = 'FAILED' AND NOT audits.erased) AS deadLettered,
      countIf(audits.erased AND NOT ${BEING_ERASED}) AS gone,
      countIf(status = 'COMPLETED' AND {epoch:UInt32} > 0 AND (audits.erased OR ${FOLDED})) AS completed
    FROM audits FINAL WHERE ${OWNED_BY}
  ) AS list CROSS JOIN (
    SELECT countIf((erased != 'ALL' OR NOT ${FOLDED}) AND (\`index\` < entries OR ${FOLDED})) AS served
    FROM signals FINAL WHERE ${OWNED_BY}
  ) AS shown CROSS JOIN (
    SELECT count() AS accepted, countIf(acceptedAt >= {since:DateTime64(3, 'UTC')}) AS acceptedSince
    FROM acceptances FINAL WHERE customerId = {customerId:String}
  ) AS taken CROSS JOIN (
    SELECT countIf(kind = 'SIGNAL' AND ${FOLDED}) AS ledgerSignals,
      countIf(kind = 'SIGNAL' AND ${FOLDED} AND (\`index\` IN (SELECT arrayJoin(named) FROM (${ERASURES}))
        OR \`index\` > (SELECT minOrNull(at) FROM (${ERASURES}) WHERE closing))) AS erasedSignals
    FROM ledger FINAL WHERE customerId = {customerId:String}
  ) AS chain`;

interface ReconciliationQuery {
  readonly customerId: string;
  /** How far the customer's partition of the ledger is stored; null if not at all. */
  readonly folded: { readonly epoch: number; readonly nextOffset: number } | null;
  /** Unix ms. */
  readonly since: number;
}

/** Epochs start at 1, so without a position nothing is folded. */
const NOT_FOLDED = { epoch: 0, nextOffset: 0 };

/** Counts a customer's audits by outcome, each count from its own table, in one statement. */
export async function readReconciliation(
  warehouse: Warehouse,
  { customerId, folded, since }: ReconciliationQuery,
): Promise<ReconciliationRow> {
  const rows = await warehouse.query<ReconciliationRow>(
    COUNTS,
    { customerId, ...(folded ?? NOT_FOLDED), since: new Date(since) },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows[0] ?? NOTHING;
}

const NOTHING: ReconciliationRow = {
  accepted: 0,
  acceptedSince: 0,
  stored: 0,
  listed: 0,
  inFlight: 0,
  retrying: 0,
  deadLettered: 0,
  erased: 0,
  completed: 0,
  ledgerSignals: 0,
  erasedSignals: 0,
  signalDifference: 0,
};
