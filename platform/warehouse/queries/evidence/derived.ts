import type { Warehouse } from '../../port.ts';
import { BITS_OF_CODES, CODES } from '../code-bits.ts';

/** Compares rows that are derived from the chain and served on their own with their source. */

const LIMITS = { maxExecutionSeconds: 30 } as const;

/** A range of a customer's entries, both ends inclusive, and how far their partition of the log is stored. */
interface DerivedRange {
  readonly customerId: string;
  readonly from: number;
  readonly to: number;
  readonly folded: { readonly epoch: number; readonly offset: number };
}

/** An entry whose derived rows differ from what the fold would derive. */
interface DerivedFault {
  readonly index: number;
  readonly id: string;
}

const folded = (epoch: string, offset: string): string =>
  `(${epoch} < {epoch:UInt32} OR (${epoch} = {epoch:UInt32} AND ${offset} < {below:UInt64}))`;
const RANGE = 'customerId = {customerId:String} AND `index` >= {from:UInt64} AND `index` <= {to:UInt64}';
const isoOf = (time: string): string => `concat(replaceOne(toString(${time}), ' ', 'T'), 'Z')`;

/** Columns that the audit list and signals have in common, under the same name. */
const SHARED_COLUMNS = [
  'sandboxId',
  'sandboxSlug',
  'provider',
  'model',
  'source',
  'attempts',
  'riskLevel',
  'violations',
  'durationMs',
] as const;

/**
 * Of those, the columns that an erasure clears in the list; it keeps the others in the list and clears them in the
 * signal.
 */
const TAKEN = ['provider', 'model', 'riskLevel', 'violations'] as const;

/** `a`: the audit's row, `s`: the signal's, `l`: the entry. A missing row has no audit id. */
const ENDED_AT = "if(s.source = 'INTERNAL' AND s.createdAt < s.acceptedAt, s.acceptedAt, s.createdAt)";
const SAME_AUDIT = [
  'a.auditId = s.auditId',
  'a.customer = a.customerId',
  'a.sandbox = a.sandboxId',
  "a.source IN ('INGEST', 'INTERNAL')",
  "a.status = 'COMPLETED'",
  "a.topic = 'audit.ledger'",
  'a.failureCode IS NULL',
  'a.`partition` = l.`partition`',
  'a.version = bitShiftLeft(toUInt64(a.rank), 40) + bitShiftLeft(toUInt64(1), 40) - 1 - a.`offset`',
];
const CLEAR_AUDIT = [
  'NOT a.erased',
  'a.rank = 1000000',
  'a.epoch = l.epoch',
  'a.`offset` = l.`offset`',
  ...SHARED_COLUMNS.map((name) => `ifNull(a.${name} = s.${name}, false)`),
  `ifNull(a.completedAt = ${ENDED_AT}, false)`,
  "JSONExtractString(a.steps, -1, 'name') = 'STORED'",
  `JSONExtractString(a.steps, -1, 'at') = ${isoOf(ENDED_AT)}`,
];
const ERASED_AUDIT = [
  'a.erased',
  'a.rank = 1000001',
  ...TAKEN.map((name) => (name === 'violations' ? 'empty(a.violations)' : `a.${name} IS NULL`)),
];
/** Columns that the table computes from a signal, as migrations define them. */
const COMPUTED = [
  's.customer = {customerId:String}',
  's.sandbox = s.sandboxId',
  `s.violationBits = arraySum(code -> transform(code, ${CODES}, ${BITS_OF_CODES}, toUInt64(0)), s.violations)`,
  `s.foundCvv = (position(s.detections, '"detector":"cvv"') > 0)`,
];
const SAME_ID = ['entryId', 'at', 'epoch', '`partition`', '`offset`'].map((name) => `i.${name} = l.${name}`);

const all = (conditions: readonly string[]): string => conditions.join(' AND ');
const LEDGER_ENTRIES = `
  SELECT \`index\` AS at, id AS id, entryId, kind, epoch, \`partition\`, \`offset\` FROM ledger FINAL
  WHERE ${RANGE} AND ${folded('epoch', '`offset`')}`;

/**
 * The first `limit` entries of the range whose id lookup is wrong, or whose signal contradicts the audit list or the
 * computed columns. A missing signal is a fault of the chain and not reported here; a signal that is being erased is
 * skipped.
 */
export function derivedFaults(
  warehouse: Warehouse,
  { customerId, from, to, folded: { epoch, offset } }: DerivedRange,
  limit: number,
): Promise<DerivedFault[]> {
  return warehouse.query<DerivedFault>(
    `SELECT DISTINCT l.at AS index, l.id AS id
     FROM (${LEDGER_ENTRIES}) AS l
     LEFT JOIN (
       SELECT entryId, \`index\` AS at, epoch, \`partition\`, \`offset\`
       FROM ledger_ids FINAL WHERE customerId = {customerId:String} AND entryId IN (SELECT entryId FROM (${LEDGER_ENTRIES}))
     ) AS i ON i.entryId = l.entryId
     LEFT JOIN (
       SELECT *, customer, sandbox, violationBits, foundCvv, \`index\` AS at FROM signals FINAL WHERE ${RANGE}
       SETTINGS use_skip_indexes_if_final = 1
     ) AS s ON s.at = l.at
     LEFT JOIN (
       SELECT *, customer, sandbox FROM audits FINAL
       WHERE customerId = {customerId:String}
         AND (acceptedAt, auditId) IN (SELECT acceptedAt, auditId FROM signals WHERE ${RANGE})
     ) AS a ON a.acceptedAt = s.acceptedAt AND a.auditId = s.auditId
     WHERE NOT (${all(SAME_ID)})
       OR (l.kind = 'SIGNAL' AND s.auditId = l.id AND ${folded('s.epoch', 's.`offset`')}
         AND NOT (${all([...COMPUTED, ...SAME_AUDIT])} AND if(s.erased = 'ALL', ${all(ERASED_AUDIT)}, ${all(CLEAR_AUDIT)})))
     ORDER BY index LIMIT {limit:UInt32}`,
    { customerId, from, to, epoch, below: offset, limit },
    LIMITS,
  );
}

/** Number of derived rows of each kind that belong to no entry; they have no index. */
interface StrayRows {
  readonly ids: number;
  readonly audits: number;
  readonly closings: number;
}

/** Counts rows that no entry explains, over everything stored of a customer's ledger. */
export async function strayRows(
  warehouse: Warehouse,
  { customerId, folded: { epoch, offset } }: Pick<DerivedRange, 'customerId' | 'folded'>,
): Promise<StrayRows> {
  const own = 'customerId = {customerId:String}';
  const below = folded('epoch', '`offset`');
  const [found] = await warehouse.query<StrayRows>(
    `SELECT toInt64(stored.ids) - chain.entries AS ids, toInt64(list.completed) - chain.signals AS audits,
       toInt64(closed.rows) - erasures.closing AS closings
     FROM (SELECT count() AS entries, countIf(kind = 'SIGNAL') AS signals, max(\`index\`) AS head FROM ledger FINAL
       WHERE ${own} AND ${below}) AS chain
     CROSS JOIN (SELECT count() AS ids FROM ledger_ids FINAL WHERE ${own} AND ${below}) AS stored
     CROSS JOIN (SELECT countIf(status = 'COMPLETED' AND (erased OR ${below})) AS completed FROM audits FINAL WHERE ${own}) AS list
     CROSS JOIN (SELECT count() AS rows FROM closings FINAL WHERE ${own} AND \`index\` <=
       (SELECT max(\`index\`) FROM ledger WHERE ${own} AND ${below})) AS closed
     CROSS JOIN (SELECT countIf(JSONExtractBool(ifNull(core, ''), 'closing')) AS closing FROM entries FINAL
       WHERE ${own} AND kind = 'ERASURE' AND ${below}) AS erasures`,
    { customerId, epoch, below: offset },
    LIMITS,
  );
  return found ?? { ids: 0, audits: 0, closings: 0 };
}
