import type { EventLog } from '../../platform/event-log/port.ts';
import type { PositionRow } from '../../schemas/tables/tables.ts';
import { SINK_GROUP, SINK_TOPICS } from './pipeline.ts';
import type { SinkStore } from './store.ts';

/**
 * Notes where every partition begins in a new epoch: at the log's start, so that all it still holds is folded (what
 * the warehouse knows already is dropped by its id), or at its end, which gives up what was not folded yet. The
 * position carries no digest: it says nothing about what lies before.
 */
export async function storeFirstPositions(
  parts: {
    readonly log: Pick<EventLog, 'lag' | 'bounds'>;
    readonly store: SinkStore;
    readonly now: () => number;
  },
  epoch: number,
  from: 'start' | 'end',
): Promise<void> {
  const lastAt = new Date(parts.now()).toISOString();
  const rows: PositionRow[] = [];
  for (const { topic, partition } of await parts.log.lag(SINK_GROUP, SINK_TOPICS)) {
    const nextOffset = (await parts.log.bounds(topic, partition))[from];
    rows.push({ epoch, topic, partition, nextOffset, lastDigest: '', lastAt });
  }
  await parts.store.insert('positions', rows);
}
