import type { EventLog } from '#platform/event-log/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { type StoredPosition, storedPositions } from '#platform/warehouse/queries/positions.ts';
import { TRIPLETS } from '#schemas/topics.ts';
import { oldestUnstoredOf } from './unstored.ts';

interface LagDependencies {
  readonly log: EventLog;
  readonly warehouse: Warehouse;
  readonly now: () => number;
}

/** Marks of accepted audits live twice as long, so a list that lags less than this hides no audit. */
const LAG_LIMIT_MS = 3_600_000;
/** Maximum time between acceptance of an audit and its record in the log. */
const APPEND_MS = 5_000;

/** Time of a UUIDv7 in Unix ms; null for other ids, which no ingested audit has. */
export const timeOf = (id: string): number | null =>
  id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;

/**
 * Whether an audit without a mark and without a row may still have been accepted, because the list lags that much.
 * Reads every partition's position: only for answers that would otherwise be taken as certain.
 */
export async function mayBeHidden(dependencies: LagDependencies, id: string): Promise<boolean> {
  const at = timeOf(id);
  if (at === null) return false;
  const oldest = await oldestUnstored(dependencies);
  return oldest !== null && dependencies.now() - oldest > LAG_LIMIT_MS && at >= oldest - APPEND_MS;
}

/** Time (Unix ms) of the oldest acceptance not yet stored in the audit list; null: all are stored. */
export async function oldestUnstored(dependencies: Omit<LagDependencies, 'now'>): Promise<number | null> {
  const positions = new Map(
    (await storedPositions(dependencies.warehouse, TRIPLETS.name)).map((position) => [
      position.partition,
      position,
    ]),
  );
  const times = await Promise.all(
    Array.from({ length: TRIPLETS.partitions }, (_, partition) =>
      oldestOf(dependencies.log, partition, positions.get(partition)),
    ),
  );
  return times.reduce<number | null>(
    (oldest, at) => (at === null || (oldest !== null && oldest <= at) ? oldest : at),
    null,
  );
}

/** Ends of the log of accepted audits, by partition; 0 if the partition is empty. */
export const endsOfAccepted = (log: Pick<EventLog, 'bounds'>): Promise<number[]> =>
  Promise.all(
    Array.from({ length: TRIPLETS.partitions }, async (_, partition) => {
      const { start, end } = await log.bounds(TRIPLETS.name, partition);
      return start < end ? end : 0;
    }),
  );

/** Whether the audit list has stored everything up to these ends of the log. */
export async function listHasStored(
  { warehouse }: Pick<LagDependencies, 'warehouse'>,
  ends: readonly number[],
): Promise<boolean> {
  const stored = new Map(
    (await storedPositions(warehouse, TRIPLETS.name)).map((one) => [one.partition, one.nextOffset]),
  );
  return ends.every((end, partition) => (stored.get(partition) ?? 0) >= end);
}

async function oldestOf(
  log: EventLog,
  partition: number,
  stored: StoredPosition | undefined,
): Promise<number | null> {
  const bounds = await log.bounds(TRIPLETS.name, partition);
  return oldestUnstoredOf(log, { topic: TRIPLETS.name, partition, ...bounds }, stored);
}
