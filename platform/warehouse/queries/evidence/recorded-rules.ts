import type { Warehouse } from '../../port.ts';
import { allOf, within } from '../owned-by.ts';
import { REQUEST_SECONDS } from '../select-list.ts';
import type { CountedSignals } from './attestations.ts';

/** What the ledger tells of policies and of erasures, as of a size of it. */

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** A policy, or a retention policy, that acts: active, and not deleted. */
interface ActingPolicy {
  readonly type: 'POLICY' | 'RETENTION';
  readonly framework: string | null;
  /** 0 of a policy that is none of retention. */
  readonly retentionDays: number;
}

/** As the ledger's first `below` entries tell of them. */
export const actingPolicies = (
  warehouse: Warehouse,
  customerId: string,
  below: number,
): Promise<ActingPolicy[]> =>
  warehouse.query<ActingPolicy>(
    `SELECT newest.1 AS type, newest.2 AS framework, newest.3 AS retentionDays
     FROM (
       SELECT argMax(JSONExtract(core, 'Tuple(type String, framework Nullable(String), retentionDays UInt32,
           active Bool, deletedAt Nullable(String))'), JSONExtractUInt(core, 'version')) AS newest
       FROM (
         SELECT assumeNotNull(core) AS core FROM entries
         WHERE customerId = {customerId:String} AND kind = 'POLICY_EVENT'
           AND (startsWith(id, 'policy:') OR startsWith(id, 'retention:'))
           AND \`index\` < {below:UInt64} AND core IS NOT NULL
       )
       GROUP BY JSONExtractString(core, 'type'), JSONExtractString(core, 'policyId')
     )
     WHERE newest.4 AND newest.5 IS NULL
     ORDER BY type, framework, retentionDays`,
    { customerId, below },
    LIMITS,
  );

/** What the counted entries tell beside policies; rows that are written twice count once. */
export interface RecordedCounts {
  /** Calls of auditors in the period. */
  readonly auditorCalls: number;
  /** Evidence packages, of whatever time. */
  readonly packages: number;
  /** Erasures of the period by retention policies, each of up to some thousands of signals. */
  readonly byRetention: number;
  /** Erasures of the period that somebody asked for, each of a signal; that of the customer is none of them. */
  readonly asked: number;
}

export async function countRecorded(warehouse: Warehouse, counted: CountedSignals): Promise<RecordedCounts> {
  const kinds = "kind IN ('AUDITOR_ACCESS', 'ERASURE', 'EVIDENCE_EVENT')";
  const own = `customerId = {customerId:String} AND ${kinds} AND \`index\` < {below:UInt64}`;
  const { sql: inPeriod, params } = allOf('1', counted.customerId, within('at', counted));
  const [found] = await warehouse.query<RecordedCounts>(
    `WITH ${inPeriod} AS inPeriod, if(kind = 'ERASURE', JSONExtractString(ifNull(core, ''), 'reason'), '') AS reason
     SELECT uniqExactIf(\`index\`, kind = 'AUDITOR_ACCESS' AND inPeriod) AS auditorCalls,
       uniqExactIf(id, kind = 'EVIDENCE_EVENT' AND startsWith(id, 'package:')) AS packages,
       uniqExactIf(\`index\`, inPeriod AND reason = 'RETENTION') AS byRetention,
       uniqExactIf(\`index\`, inPeriod AND reason IN ('DATA_SUBJECT_REQUEST', 'CUSTOMER_REQUEST')) AS asked
     FROM entries WHERE ${own}`,
    { ...params, below: counted.below },
    LIMITS,
  );
  return found ?? { auditorCalls: 0, packages: 0, byRetention: 0, asked: 0 };
}
