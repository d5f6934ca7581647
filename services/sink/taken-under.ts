import type { Batch } from '../../platform/event-log/port.ts';
import type { ProcessContext } from '../../platform/stream/outcome.ts';

/** What a batch is taken under: its assignment, and the signal that says that this is lost. */
export type TakenUnder = Pick<ProcessContext, 'assignment' | 'signal'>;

/** Name of a partition, as the flush queue knows it. */
export const placeOf = ({ topic, partition }: Pick<Batch, 'topic' | 'partition'>): string =>
  `${topic}/${partition}`;
