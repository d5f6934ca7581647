import { type Batch, LogGap } from '#platform/event-log/port.ts';
import { recordDigest } from '#platform/event-log/record-digest.ts';
import type { PartitionRetry } from './partition-retry.ts';
import type { PartitionStopper } from './partition-stopper.ts';
import type { PartitionWorkOptions } from './work-options.ts';

/** How one assignment of a partition handles missing records. */
export interface GapHandler {
  /** Notes that everything below the batch's end was read from the current log. */
  noteRead(batch: Batch): void;
  /** Resolves with the offset to read next; rejects when the signal fires. */
  handle(gap: LogGap, signal: AbortSignal): Promise<number>;
}

interface GapDependencies {
  readonly options: Pick<
    PartitionWorkOptions,
    'log' | 'topic' | 'partition' | 'assignment' | 'onAssigned' | 'skipGap'
  >;
  readonly stopper: PartitionStopper;
  readonly retry: PartitionRetry['retry'];
}

/**
 * Missing records stop their partition until the loss is accepted or the log is restored. A log that ended before the
 * next offset may grow beyond it with different records, which would never be read if those offsets counted as done. So
 * the partition continues only when the record before that offset is still the same as the one that was read.
 */
export function gapHandler({ options, stopper, retry }: GapDependencies): GapHandler {
  const { log, topic, partition, assignment, onAssigned, skipGap } = options;
  /** Digest of the last record read; the record itself might keep a broker's whole answer in memory. */
  let last: { readonly offset: number; readonly digest: string; readonly nextOffset: number } | null = null;

  const isAsItWas = async (offset: number): Promise<boolean> => {
    if (last?.nextOffset !== offset) return false;
    const found = await log.read(topic, partition, last.offset);
    return found !== null && recordDigest(found) === last.digest;
  };
  const offsetAfterRestoring = async (gap: LogGap): Promise<number> => {
    const { end } = await log.bounds(topic, partition);
    if (end < gap.offset) throw gap;
    // A service with its own digest compares it as at the start.
    if (onAssigned !== undefined) return (await onAssigned(assignment)) ?? gap.offset;
    if (await isAsItWas(gap.offset)) return gap.offset;
    throw new LogGap(
      topic,
      partition,
      gap.offset,
      'a log that had ended before it and grew again, and nothing shows that it is the same one (where it is, start this process again)',
    );
  };

  return {
    noteRead: ({ records, nextOffset }) => {
      // A service with its own digest does not need ours.
      if (onAssigned !== undefined) return;
      const record = records.at(-1)!;
      last = { offset: record.offset, digest: recordDigest(record), nextOffset };
    },
    handle: async (gap, signal) => {
      const past = await retry(signal, () => skipGap?.(gap) ?? null);
      if (past !== null) {
        stopper.resume();
        return past;
      }
      await stopper.stopAndWait(gap, signal);
      if (gap.untilOffset === null)
        return stopper.retryUntilPossible(signal, () => retry(signal, () => offsetAfterRestoring(gap)));
      // With no records after the missing ones, no batch will arrive to show that they are restored.
      const { end } = await retry(signal, () => log.bounds(topic, partition));
      if (end === gap.offset) stopper.resume();
      return gap.offset;
    },
  };
}
