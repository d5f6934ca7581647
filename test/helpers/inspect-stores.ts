import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ChainVerification } from '#core/evidence/verify/verify.ts';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { openEmbeddedLog } from '#platform/event-log/lmdb/event-log.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { TABLES } from '#schemas/tables/tables.ts';
import { TOPICS } from '#schemas/topics.ts';
import { logEndOf, passesHere } from '#services/api/evidence/chain/passes.ts';

export interface Stored {
  readonly warehouse: Warehouse;
  verify(customerId: string): Promise<ChainVerification>;
  /** Number of records of the topic that wait for the group. */
  waiting(group: string, topic: string): Promise<number>;
}

/** Reads stored data without the service, after it has stopped. */
export async function inspectStores<Result>(
  dataDir: string,
  inspect: (stored: Stored) => Promise<Result>,
): Promise<Result> {
  const logger = { info() {}, warn() {}, error() {} };
  const folder = dataFolder(dataDir);
  const embedded = await startEmbeddedWarehouse({ path: folder.warehouse, logger });
  const warehouse = openWarehouse({ ...embedded, logger });
  const log = await openEmbeddedLog({ path: folder.log, topics: TOPICS });
  try {
    const passes = passesHere({ warehouse, logEnd: logEndOf(log) });
    const watch = { gone: new AbortController().signal };
    return await inspect({
      warehouse,
      verify: (customerId) => passes.run({ customerId, from: 0, to: null }, watch),
      waiting: async (group, topic) => (await log.lag(group, [topic])).reduce((sum, { lag }) => sum + lag, 0),
    });
  } finally {
    await log.close();
    await warehouse.close();
    await embedded.stop();
  }
}

/** Where a text occurs in the tables, including superseded rows: only names and counts, no content. */
export async function tablesWith(warehouse: Warehouse, text: string): Promise<string[]> {
  const found = await Promise.all(
    TABLES.map(async (table) => {
      const columns = columnNames(table).map((name) =>
        name === 'version' ? 'toString(version) AS version' : `\`${name}\``,
      );
      const rows = await warehouse.query<object>(`SELECT ${columns.join(', ')} FROM ${table.name}`);
      const holding = rows.filter((row) => JSON.stringify(row).includes(text));
      return holding.length === 0 ? [] : [`${table.name}: ${holding.length} of ${rows.length} rows`];
    }),
  );
  return found.flat();
}

/** The state's file as text, freed pages included. */
export const stateFile = (dataDir: string): string =>
  readFileSync(path.join(dataFolder(dataDir).state, 'state.mdb'), 'latin1');

/** Customers' wrapped keys found in the state's file. */
export const wrappedKeys = (dataDir: string): Set<string> =>
  new Set([...stateFile(dataDir).matchAll(/"wrapped":"([^"]+)"/g)].map(([, wrapped]) => wrapped!));

export interface AuditLine {
  readonly auditId: string;
  readonly erased: boolean;
  readonly provider: string | null;
  readonly model: string | null;
  readonly riskLevel: string | null;
  readonly violations: readonly string[];
}

export const auditsOf = (warehouse: Warehouse, customerId: string): Promise<AuditLine[]> =>
  warehouse.query<AuditLine>(
    'SELECT auditId, erased, provider, model, riskLevel, violations FROM audits FINAL WHERE customerId = {customerId:String}',
    { customerId },
  );
