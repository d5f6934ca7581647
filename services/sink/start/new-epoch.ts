import type { EventLog } from '#platform/event-log/port.ts';
import type { PositionRow } from '#schemas/tables/tables.ts';
import type { SinkStore } from '../flush/store.ts';
import { SINK_GROUP, SINK_TOPICS } from './sink-topics.ts';

/**
 * Stores where every partition starts in a new epoch: at the log's start, so that everything it still holds is folded
 * (records already in the warehouse are dropped by id), or at its end, which gives up what was not folded yet. The
 * position has no digest: it says nothing about the records before it.
 */
export async function storeFirstPositions(
  dependencies: {
    readonly log: Pick<EventLog, 'lag' | 'bounds'>;
    readonly store: SinkStore;
    readonly now: () => number;
  },
  epoch: number,
  from: 'start' | 'end',
): Promise<void> {
  const lastAt = new Date(dependencies.now()).toISOString();
  const rows: PositionRow[] = [];
  for (const { topic, partition } of await dependencies.log.lag(SINK_GROUP, SINK_TOPICS)) {
    const nextOffset = (await dependencies.log.bounds(topic, partition))[from];
    rows.push({ epoch, topic, partition, nextOffset, lastDigest: '', lastAt });
  }
  await dependencies.store.insert('positions', rows);
}
