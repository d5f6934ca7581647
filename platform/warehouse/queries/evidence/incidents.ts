import type { Warehouse } from '../../port.ts';
import { REQUEST_SECONDS } from '../select-list.ts';
import { type SignalFilter, signalConditions } from '../signals.ts';

/** The properties of an incident that attestations use. */
interface StoredIncident {
  readonly signalId: string;
  /** OPEN, INVESTIGATING, REMEDIATING, RESOLVED, VERIFIED, CLOSED or DISMISSED. */
  readonly status: string;
  /** ISO 8601. */
  readonly openedAt: string;
  /** When its status first changed, ISO 8601; empty if it never did. */
  readonly judgedAt: string;
}

/** The incidents as of their newest INCIDENT_EVENT among the ledger's first `below` entries. */
export const incidentsBelow = (
  warehouse: Warehouse,
  customerId: string,
  below: number,
): Promise<StoredIncident[]> =>
  warehouse.query<StoredIncident>(
    `SELECT newest.1 AS signalId, newest.2 AS status, newest.3 AS openedAt, judgedAt
     FROM (
       SELECT JSONExtractString(core, 'incidentId') AS incidentId,
         argMax(
           JSONExtract(core, 'Tuple(signalId String, status String, createdAt String)'), JSONExtractUInt(core, 'version')
         ) AS newest,
         minIf(JSONExtractString(core, 'updatedAt'), JSONExtractString(core, 'transition', 'from') = 'OPEN') AS judgedAt
       FROM (
         SELECT assumeNotNull(core) AS core FROM entries
         WHERE customerId = {customerId:String} AND kind = 'INCIDENT_EVENT'
           AND \`index\` < {below:UInt64} AND core IS NOT NULL
       )
       GROUP BY incidentId
     )
     ORDER BY incidentId`,
    { customerId, below },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );

/**
 * Ids of incidents that belong to matching signals and were opened within the filter's range; erased signals have none.
 * With `incidentId`, only this incident.
 */
export async function incidentsOfSignals(
  warehouse: Warehouse,
  filter: SignalFilter,
  incidentId?: string,
): Promise<string[]> {
  const { sql, params } = signalConditions(filter);
  const { from, to } = filter;
  // Times in an entry are strings of equal length, so they sort chronologically.
  const opened = [
    ...(from === undefined ? [] : ['createdAt >= {openedFrom:String}']),
    ...(to === undefined ? [] : ['createdAt <= {openedTo:String}']),
    ...(incidentId === undefined ? [] : ['incidentId = {incidentId:String}']),
    `signalId IN (SELECT auditId FROM signals FINAL WHERE ${sql})`,
  ].join(' AND ');
  const rows = await warehouse.query<{ incidentId: string }>(
    `SELECT DISTINCT incidentId
     FROM (
       SELECT JSONExtractString(core, 'incidentId') AS incidentId, JSONExtractString(core, 'signalId') AS signalId,
         JSONExtractString(core, 'createdAt') AS createdAt
       FROM (
         SELECT assumeNotNull(core) AS core FROM entries
         WHERE customerId = {customerId:String} AND kind = 'INCIDENT_EVENT' AND core IS NOT NULL
       )
     )
     WHERE ${opened}`,
    {
      ...params,
      ...(from === undefined ? {} : { openedFrom: new Date(from).toISOString() }),
      ...(to === undefined ? {} : { openedTo: new Date(to).toISOString() }),
      ...(incidentId === undefined ? {} : { incidentId }),
    },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
  return rows.map((row) => row.incidentId);
}
