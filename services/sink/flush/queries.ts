import { microBatch } from '#platform/flow/micro-batch.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { warehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import { COMPLETED_RANK } from '#schemas/tables/audit-ranks.ts';
import { columnNames, type Table } from '#schemas/tables/table.ts';
import {
  AUDITS,
  CLOSINGS,
  CONTRADICTIONS,
  CORRELATIONS,
  ENTRIES,
  LEDGER,
  LEDGER_IDS,
  POSITIONS,
  type PositionRow,
  SIGNALS,
  SKIPS,
} from '#schemas/tables/tables.ts';
import type { StoredAudit } from '../fold/content-below.ts';
import type { HeadQuery, SinkStore, SinkTable } from './store.ts';

/** Ids or indexes per query: enough to be worth a round trip, few enough for one set in the primary-key index. */
const CHUNK = 1_000;
/** Customers per query of heads: each is a separate read within the statement. */
const HEADS_CHUNK = 50;
const SIGNAL_PREFIX = entryIdOf('SIGNAL', '');
/** Rows per insert: bounds the text that is built at once. */
const INSERT_CHUNK = 5_000;

const TABLES = {
  signals: SIGNALS,
  entries: ENTRIES,
  ledger_ids: LEDGER_IDS,
  ledger: LEDGER,
  contradictions: CONTRADICTIONS,
  audits: AUDITS,
  positions: POSITIONS,
  skips: SKIPS,
  correlations: CORRELATIONS,
} satisfies Readonly<Record<SinkTable, Table<Readonly<Record<string, string>>>>>;

const list = (columns: readonly string[]): string => columns.map((name) => `\`${name}\``).join(', ');
const columnsOf = (table: Parameters<typeof columnNames>[0]): string => list(columnNames(table));
/** `version` exceeds the safe integer range. */
const AUDIT_COLUMNS = list(columnNames(AUDITS).filter((name) => name !== 'version'));

function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let from = 0; from < items.length; from += size) chunks.push(items.slice(from, from + size));
  return chunks;
}

async function inChunks<Item, Row>(
  items: readonly Item[],
  size: number,
  read: (chunk: Item[]) => Promise<Row[]>,
): Promise<Row[]> {
  return (await Promise.all(chunksOf(items, size).map(read))).flat();
}

/** The first query is sent at once; queries that arrive while it runs share the next. */
const SHARED = { begins: 'now' } as const;

/** All statements of the sink, for folding and for findings, on one warehouse. */
export function warehouseStore(warehouse: Warehouse): SinkStore {
  // A starting sink asks for both in each of its partitions at once.
  const epochs = microBatch<null, number | null>(async (asked) => {
    const stored = (await warehouseEpoch(warehouse))?.epoch ?? null;
    return asked.map(() => stored);
  }, SHARED);
  const positions = microBatch<PositionKey, PositionRow | null>(
    (asked) => readPositions(warehouse, asked),
    SHARED,
  );
  return {
    epoch: () => epochs(null),
    position: (epoch, topic, partition) => positions({ epoch, topic, partition }),
    skips: (epoch) =>
      warehouse.query(`SELECT ${columnsOf(SKIPS)} FROM skips WHERE epoch = {epoch:UInt32}`, { epoch }),
    ids: (wanted) =>
      inChunks(wanted, CHUNK, (chunk) =>
        warehouse.query(
          // Customers and ids separately: pairs would double the text to send and parse.
          `SELECT ${columnsOf(LEDGER_IDS)} FROM ledger_ids
           WHERE customerId IN {customers:Array(String)} AND entryId IN {ids:Array(String)}`,
          {
            customers: [...new Set(chunk.map((one) => one.customerId))],
            ids: chunk.map((one) => one.entryId),
          },
        ),
      ),
    coreHashes: (wanted) =>
      inChunks(wanted, CHUNK, (chunk) =>
        warehouse.query(
          `SELECT customerId, entryId, coreHash FROM ledger
           WHERE (customerId, \`index\`) IN arrayZip({customers:Array(String)}, {indexes:Array(UInt64)})`,
          { customers: chunk.map((one) => one.customerId), indexes: chunk.map((one) => one.index) },
        ),
      ),
    heads: (epoch, wanted) => inChunks(wanted, HEADS_CHUNK, (chunk) => readHeads(warehouse, epoch, chunk)),
    newestSignals: (ids) => inChunks(ids, HEADS_CHUNK, (chunk) => readNewestSignals(warehouse, chunk)),
    closings: (customerIds) =>
      inChunks(customerIds, CHUNK, (customers) =>
        warehouse.query(
          `SELECT ${columnsOf(CLOSINGS)} FROM closings WHERE customerId IN {customers:Array(String)}`,
          { customers },
        ),
      ),
    signals: (customerId, indexes) => readContent(warehouse, SIGNALS, customerId, indexes),
    entries: (customerId, indexes) => readContent(warehouse, ENTRIES, customerId, indexes),
    audits: (customerId, wanted) =>
      inChunks(wanted, CHUNK, (chunk) => {
        // The time bounds select partitions and a range of the primary key; the ids alone would select neither.
        const times = chunk.map((one) => Date.parse(one.acceptedAt));
        return warehouse.query(
          `SELECT ${AUDIT_COLUMNS} FROM audits
           WHERE customerId = {customerId:String} AND auditId IN {ids:Array(String)}
             AND acceptedAt BETWEEN {from:DateTime64(3, 'UTC')} AND {to:DateTime64(3, 'UTC')}
             AND rank >= ${COMPLETED_RANK}`,
          {
            customerId,
            ids: chunk.map((one) => one.auditId),
            from: new Date(Math.min(...times)),
            to: new Date(Math.max(...times)),
          },
        );
      }),
    insert: async (table, rows) => {
      for (const chunk of chunksOf(rows, INSERT_CHUNK)) {
        await warehouse.insert(table, columnNames(TABLES[table]), chunk as Record<string, unknown>[]);
      }
    },
  };
}

type PositionKey = Pick<PositionRow, 'epoch' | 'topic' | 'partition'>;
const keyOf = ({ epoch, topic, partition }: PositionKey): string => `${epoch}/${topic}/${partition}`;

/** The highest position of each, in the given order. */
async function readPositions(
  warehouse: Warehouse,
  wanted: readonly PositionKey[],
): Promise<(PositionRow | null)[]> {
  const rows = await warehouse.query<PositionRow>(
    `SELECT ${columnsOf(POSITIONS)} FROM positions
     WHERE (epoch, topic, \`partition\`)
       IN arrayZip({epochs:Array(UInt32)}, {topics:Array(String)}, {partitions:Array(UInt16)})
     ORDER BY nextOffset DESC LIMIT 1 BY epoch, topic, \`partition\``,
    {
      epochs: wanted.map(({ epoch }) => epoch),
      topics: wanted.map(({ topic }) => topic),
      partitions: wanted.map(({ partition }) => partition),
    },
  );
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  return wanted.map((one) => found.get(keyOf(one)) ?? null);
}

/**
 * One read per customer, backwards from the end of its primary-key range: it touches a granule or two however long the
 * chain is, whereas a maximum over the customer would read all of it.
 */
function readHeads(warehouse: Warehouse, epoch: number, wanted: readonly HeadQuery[]) {
  const params: Record<string, unknown> = { epoch };
  const reads = wanted.map(({ customerId, belowOffset }, i) => {
    params[`customer${i}`] = customerId;
    params[`offset${i}`] = belowOffset;
    return `SELECT * FROM (SELECT customerId, \`index\`, hash FROM ledger
      WHERE customerId = {customer${i}:String}
        AND (epoch < {epoch:UInt32} OR (epoch = {epoch:UInt32} AND \`offset\` < {offset${i}:UInt64}))
      ORDER BY customerId DESC, \`index\` DESC LIMIT 1)`;
  });
  return warehouse.query<{ customerId: string; index: number; hash: string }>(
    reads.join(' UNION ALL '),
    params,
  );
}

/** Like `readHeads`: backwards from the end of the customer's signals in the primary key. */
function readNewestSignals(warehouse: Warehouse, customerIds: readonly string[]) {
  const reads = customerIds.map(
    (
      _,
      i,
    ) => `SELECT * FROM (SELECT customerId, substring(entryId, ${SIGNAL_PREFIX.length + 1}) AS id FROM ledger_ids
      WHERE customerId = {customer${i}:String} AND startsWith(entryId, '${SIGNAL_PREFIX}')
      ORDER BY customerId DESC, entryId DESC LIMIT 1)`,
  );
  const params = Object.fromEntries(customerIds.map((customerId, i) => [`customer${i}`, customerId]));
  return warehouse.query<{ customerId: string; id: string }>(reads.join(' UNION ALL '), params);
}

function readContent<Row>(
  warehouse: Warehouse,
  table: typeof SIGNALS | typeof ENTRIES,
  customerId: string,
  indexes: readonly number[],
): Promise<Row[]> {
  return inChunks(indexes, CHUNK, (chunk) =>
    warehouse.query<Row>(
      `SELECT ${columnsOf(table)} FROM ${table.name}
       WHERE customerId = {customerId:String} AND \`index\` IN {indexes:Array(UInt64)}`,
      { customerId, indexes: chunk },
    ),
  );
}

/** Audits accepted between two times (Unix ms) that have no final state. */
export function openAudits(warehouse: Warehouse, from: number, to: number): AsyncIterable<StoredAudit[]> {
  return warehouse.stream<StoredAudit>(
    `SELECT ${AUDIT_COLUMNS} FROM audits FINAL
     WHERE acceptedAt BETWEEN {from:DateTime64(3, 'UTC')} AND {to:DateTime64(3, 'UTC')}
       AND status IN ('QUEUED', 'PROCESSING')`,
    { from: new Date(from), to: new Date(to) },
  );
}

/** Audits of a customer with neither a stored signal nor an erasure. */
export function unansweredAudits(warehouse: Warehouse, customerId: string): AsyncIterable<StoredAudit[]> {
  return warehouse.stream<StoredAudit>(
    `SELECT ${AUDIT_COLUMNS} FROM audits FINAL
     WHERE customerId = {customerId:String} AND rank < ${COMPLETED_RANK}`,
    { customerId },
  );
}

/** Customers with a closing ERASURE that have such audits. */
export async function closedWithAudits(warehouse: Warehouse): Promise<string[]> {
  const rows = await warehouse.query<{ customerId: string }>(
    `SELECT DISTINCT customerId FROM audits FINAL
     WHERE rank < ${COMPLETED_RANK} AND customerId IN (SELECT customerId FROM closings)`,
  );
  return rows.map(({ customerId }) => customerId);
}
