import type { Warehouse } from '../../port.ts';
import { allOf, within } from '../owned-by.ts';
import { REQUEST_SECONDS } from '../select-list.ts';
import type { CountedSignals } from './attestations.ts';

/** Policies and erasures according to a given size of the ledger. */

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** A policy or retention policy in effect: active and not deleted. */
interface ActingPolicy {
  readonly type: 'POLICY' | 'RETENTION';
  readonly framework: string | null;
  /** 0 unless this is a retention policy. */
  readonly retentionDays: number;
}

/** According to the ledger's first `below` entries. */
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

/** What the counted entries record besides policies; repeated rows count once. */
export interface RecordedCounts {
  /** Auditor calls in the period. */
  readonly auditorCalls: number;
  /** Evidence packages from any time. */
  readonly packages: number;
  /** Erasures by retention policies in the period, each of up to several thousand signals. */
  readonly byRetention: number;
  /** Requested erasures in the period, each of one signal; excludes erasure of the customer. */
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
