import type { RiskLevel } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';
import { conditionsWithErased, type SignalFilter } from './signals.ts';
import { RISK_COLUMNS } from './stats.ts';

type BucketRow = Readonly<Record<RiskLevel, number>> & {
  /** Intervals since 1970 in UTC. */
  readonly bucket: number;
};

/** Signals per interval of `lengthMs`, unordered; intervals without any are absent or zero. */
export function countByInterval(
  warehouse: Warehouse,
  filter: SignalFilter,
  lengthMs: number,
): Promise<BucketRow[]> {
  const { sql, params } = conditionsWithErased(filter);
  return warehouse.query<BucketRow>(
    `SELECT intDiv(toUnixTimestamp64Milli(createdAt), {lengthMs:UInt32}) AS bucket, ${RISK_COLUMNS}
     FROM signals FINAL WHERE ${sql} GROUP BY bucket`,
    { ...params, lengthMs },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
}
