import type { Batch } from '#platform/event-log/port.ts';
import type { ProcessContext } from '#platform/stream/failure/outcome.ts';

/** A batch's assignment, and the signal that fires when the assignment is lost. */
export type HeldAssignment = Pick<ProcessContext, 'assignment' | 'signal'>;

/** Name of a partition in the flush queue. */
export const topicPartitionOf = ({ topic, partition }: Pick<Batch, 'topic' | 'partition'>): string =>
  `${topic}/${partition}`;

/**
 * Whether the partition's next batch is already there and as large as this one. A few records that arrived during the
 * read do not count: they would trigger small flushes.
 */
export const isLagging = ({ records, nextOffset, end }: Batch): boolean => end - nextOffset >= records.length;
