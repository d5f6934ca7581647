import type { RiskLevel } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';
import { conditionsWithErased, type SignalFilter } from './signals.ts';
import { RISK_COLUMNS } from './stats.ts';

type BucketRow = Readonly<Record<RiskLevel, number>> & {
  /** Index of the interval; 0 is the first. */
  readonly bucket: number;
};

/**
 * Number of signals per interval of `lengthMs`, the first of which starts at `firstMs` (Unix ms). Unordered; intervals
 * without signals are absent or zero.
 */
export function countByInterval(
  warehouse: Warehouse,
  filter: SignalFilter,
  { lengthMs, firstMs }: { readonly lengthMs: number; readonly firstMs: number },
): Promise<BucketRow[]> {
  const { sql, params } = conditionsWithErased(filter);
  return warehouse.query<BucketRow>(
    `SELECT intDiv(toUnixTimestamp64Milli(createdAt) - {firstMs:UInt32}, {lengthMs:UInt32}) AS bucket, ${RISK_COLUMNS}
     FROM signals FINAL WHERE ${sql} GROUP BY bucket`,
    { ...params, lengthMs, firstMs },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
}
