import { RISK_LEVELS, type RiskLevel } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../port.ts';
import { allOf, OWNED_BY, within } from './owned-by.ts';
import { REQUEST_SECONDS } from './select-list.ts';
import { conditionsWithErased, type SignalFilter } from './signals.ts';

/** The audits and signals to count: audits by acceptance, signals by creation. Times are Unix ms. */
type StatsFilter = Pick<SignalFilter, 'customerId' | 'sandboxId' | 'from' | 'to'>;

/** One column per level. */
export const RISK_COLUMNS = RISK_LEVELS.map((level) => `countIf(riskLevel = '${level}') AS ${level}`).join(
  ', ',
);
const NO_LEVELS = RISK_LEVELS.map(() => '0').join(', ');

/** Outcome of an audit, as the dashboard's reconciliation names it. */
const AUDIT_STATE = `multiIf(audits.erased, 'erased', status = 'COMPLETED', 'stored', status = 'QUEUED', 'inFlight',
  status = 'PROCESSING', 'retrying', 'deadLettered')`;

export type StatsRow = Readonly<Record<RiskLevel, number>> & {
  /**
   * What the row counts: audits in the state `name`, or signals of the sandbox `name`, of the model `name`, or with the
   * violation `name`.
   */
  readonly part: 'audits' | 'sandbox' | 'model' | 'violation';
  readonly name: string;
  /** The model's provider. */
  readonly provider: string;
  readonly total: number;
};

/**
 * All counts in one statement, so that they are consistent. A signal names each code once. `models`: maximum number of
 * rows about models, most frequent first.
 */
export function readStats(warehouse: Warehouse, filter: StatsFilter, models: number): Promise<StatsRow[]> {
  const signals = conditionsWithErased(filter);
  const audits = allOf(OWNED_BY, filter.customerId, [
    ['sandboxId', 'sandbox = {sandboxId:String}', filter.sandboxId],
    ...within('acceptedAt', filter),
  ]);
  return warehouse.query<StatsRow>(
    `SELECT 'sandbox' AS part, sandboxSlug AS name, '' AS provider, count() AS total, ${RISK_COLUMNS}
     FROM signals FINAL WHERE ${signals.sql} GROUP BY name HAVING name != ''
     UNION ALL
     SELECT * FROM (SELECT 'model', model AS name, provider, count() AS total, ${NO_LEVELS}
       FROM signals FINAL WHERE ${signals.sql} GROUP BY name, provider HAVING name != ''
       ORDER BY total DESC, provider, name LIMIT {models:UInt32})
     UNION ALL
     SELECT 'violation', code, '', count(), ${NO_LEVELS}
     FROM signals FINAL ARRAY JOIN violations AS code WHERE ${signals.sql} GROUP BY code
     UNION ALL
     SELECT 'audits', ${AUDIT_STATE} AS state, '', count(), ${NO_LEVELS}
     FROM audits FINAL WHERE ${audits.sql} GROUP BY state`,
    { ...audits.params, ...signals.params, models },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
}
