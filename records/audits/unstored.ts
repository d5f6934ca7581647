import type { EventLog, PartitionBounds } from '#platform/event-log/port.ts';
import type { StoredPosition } from '#platform/warehouse/queries/positions.ts';

export interface PlacedBounds extends PartitionBounds {
  readonly topic: string;
  readonly partition: number;
}

/** When the log received the oldest record of a partition that is not in the tables, Unix ms; null when all are. */
export async function oldestUnstoredOf(
  log: Pick<EventLog, 'read'>,
  { topic, partition, start, end }: PlacedBounds,
  stored: StoredPosition | undefined,
): Promise<number | null> {
  const next = Math.max(stored?.nextOffset ?? start, start);
  if (next >= end) return null;
  const record = await log.read(topic, partition, next);
  // An offset without a record: the time of the last stored record is the safe answer.
  return record?.timestamp ?? (stored ? Date.parse(stored.lastAt) : 0);
}
