import type { EventLog, PartitionBounds } from '#platform/event-log/port.ts';
import type { StoredPosition } from '#platform/warehouse/queries/positions.ts';

export interface PlacedBounds extends PartitionBounds {
  readonly topic: string;
  readonly partition: number;
}

/** When the log received the partition's oldest record that is not in the tables, Unix ms; null: all are stored. */
export async function oldestUnstoredOf(
  log: Pick<EventLog, 'read'>,
  { topic, partition, start, end }: PlacedBounds,
  stored: StoredPosition | undefined,
): Promise<number | null> {
  const next = Math.max(stored?.nextOffset ?? start, start);
  if (next >= end) return null;
  const record = await log.read(topic, partition, next);
  // No record at this offset: the time of the last stored record is a safe answer.
  return record?.timestamp ?? (stored ? Date.parse(stored.lastAt) : 0);
}
