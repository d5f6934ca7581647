import type { RiskLevel } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';
import { conditionsWithErased, type SignalFilter } from './signals.ts';
import { RISK_COLUMNS } from './stats.ts';

type BucketRow = Readonly<Record<RiskLevel, number>> & {
  /** Number of the interval, from the first one on. */
  readonly bucket: number;
};

/**
 * Signals per interval of `lengthMs`, of which the first starts at `firstMs` (Unix ms), unordered; intervals without any
 * are absent or zero.
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
