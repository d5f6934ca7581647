import type { EventLog } from '../../../platform/event-log/port.ts';
import type { Warehouse } from '../../../platform/warehouse/port.ts';
import { type StoredPosition, storedPositions } from '../../../platform/warehouse/queries/positions.ts';
import { TRIPLETS } from '../../../schemas/topics.ts';

/**
 * Time (Unix ms) of the oldest acceptance that the audit list has not stored yet; null when it has stored all. Costs a
 * look at every partition: only for answers that would otherwise say "there is no such audit".
 */
export async function oldestUnstored(parts: {
  readonly log: EventLog;
  readonly warehouse: Warehouse;
}): Promise<number | null> {
  const positions = new Map(
    (await storedPositions(parts.warehouse, TRIPLETS.name)).map((position) => [position.partition, position]),
  );
  const times = await Promise.all(
    Array.from({ length: TRIPLETS.partitions }, (_, partition) =>
      oldestOf(parts.log, partition, positions.get(partition)),
    ),
  );
  return times.reduce<number | null>(
    (oldest, at) => (at === null || (oldest !== null && oldest <= at) ? oldest : at),
    null,
  );
}

async function oldestOf(
  log: EventLog,
  partition: number,
  stored: StoredPosition | undefined,
): Promise<number | null> {
  const { start, end } = await log.bounds(TRIPLETS.name, partition);
  const next = Math.max(stored?.nextOffset ?? start, start);
  if (next >= end) return null;
  const record = await log.read(TRIPLETS.name, partition, next);
  // An offset without a record: the time of the last stored record is the safe answer.
  return record?.timestamp ?? (stored ? Date.parse(stored.lastAt) : 0);
}
