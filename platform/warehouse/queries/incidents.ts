import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';

/** An incident as far as attestations look at it. */
export interface StoredIncident {
  readonly signalId: string;
  /** OPEN, INVESTIGATING, REMEDIATING, RESOLVED, VERIFIED, CLOSED or DISMISSED. */
  readonly status: string;
}

/** The incidents as the newest of their INCIDENT_EVENTs among the ledger's first `below` entries has them. */
export const incidentsBelow = (
  warehouse: Warehouse,
  customerId: string,
  below: number,
): Promise<StoredIncident[]> =>
  warehouse.query<StoredIncident>(
    `SELECT newest.1 AS signalId, newest.2 AS status
     FROM (
       SELECT JSONExtractString(core, 'incidentId') AS incidentId,
         argMax(JSONExtract(core, 'Tuple(signalId String, status String)'), JSONExtractUInt(core, 'version')) AS newest
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
