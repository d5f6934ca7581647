import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { storedPositions } from '#platform/warehouse/queries/positions.ts';
import { LEDGER } from '#schemas/topics.ts';

export const partitionOfCustomer = (customerId: string): number => partitionOf(customerId, LEDGER.partitions);

/** Everything of the customer's partition below this position is stored; null: nothing is. */
export async function foldedPosition(
  warehouse: Warehouse,
  customerId: string,
): Promise<{ readonly epoch: number; readonly offset: number } | null> {
  const positions = await storedPositions(warehouse, LEDGER.name);
  const found = positions.find(({ partition }) => partition === partitionOfCustomer(customerId));
  return found === undefined ? null : { epoch: found.epoch, offset: found.nextOffset };
}
