import type { Batch } from '#platform/event-log/port.ts';
import type { ProcessContext } from '#platform/stream/failure/outcome.ts';

/** What a batch is processed under: its assignment, and the signal that fires when that is lost. */
export type TakenUnder = Pick<ProcessContext, 'assignment' | 'signal'>;

/** Name of a partition in the flush queue. */
export const placeOf = ({ topic, partition }: Pick<Batch, 'topic' | 'partition'>): string =>
  `${topic}/${partition}`;

/**
 * Whether the next batch of the partition is there already, and as large as this one. A few records that came while it
 * was read do not count: they would set off flushes of little.
 */
export const isBehind = ({ records, nextOffset, end }: Batch): boolean => end - nextOffset >= records.length;
