import { readBooks as readRow } from '../../../platform/warehouse/queries/books.ts';
import type { Books } from '../../../schemas/api/dashboard.ts';
import { type DashboardParts, withFreshness } from './stats.ts';

/** The sum is checked all the same: a state that nobody counts must not go unseen. */
export const readBooks = (
  parts: Pick<DashboardParts, 'warehouse' | 'freshness' | 'now'>,
  customerId: string,
): Promise<Books> =>
  withFreshness(parts, async () => {
    const row = await readRow(parts.warehouse, customerId);
    const { accepted, ...rest } = row;
    const difference = accepted - Object.values(rest).reduce((sum, count) => sum + count, 0);
    return { ...row, balanced: difference === 0, difference };
  });
