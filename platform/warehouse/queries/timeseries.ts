import type { RiskLevel } from '../../../schemas/vocabulary.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';
import { type SignalFilter, signalConditions } from './signals.ts';
import { RISK_COLUMNS } from './stats.ts';

export type BucketRow = Readonly<Record<RiskLevel, number>> & {
  /** Intervals since 1970 in UTC. */
  readonly bucket: number;
  readonly total: number;
};

/** Signals per interval of `lengthMs`; intervals without any are absent. In no order. */
export function countByInterval(
  warehouse: Warehouse,
  filter: SignalFilter,
  lengthMs: number,
): Promise<BucketRow[]> {
  const { sql, params } = signalConditions(filter);
  return warehouse.query<BucketRow>(
    `SELECT intDiv(toUnixTimestamp64Milli(createdAt), {lengthMs:UInt32}) AS bucket, count() AS total, ${RISK_COLUMNS}
     FROM signals FINAL WHERE ${sql} GROUP BY bucket`,
    { ...params, lengthMs },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
}
