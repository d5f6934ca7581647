import { type Batch, LogHole } from '#platform/event-log/port.ts';
import { recordDigest } from '#platform/event-log/record-digest.ts';
import type { PartitionHold } from './partition-hold.ts';
import type { PartitionRetry } from './partition-retry.ts';
import type { PartitionWorkOptions } from './work-options.ts';

/** How one assignment of a partition handles missing records. */
export interface HoleWork {
  /** Everything below the batch's end was read from the current log. */
  taken(batch: Batch): void;
  /** Resolves with the offset to read next; rejects when the signal fires. */
  meet(hole: LogHole, signal: AbortSignal): Promise<number>;
}

interface HoleDependencies {
  readonly options: Pick<
    PartitionWorkOptions,
    'log' | 'topic' | 'partition' | 'assignment' | 'onAssigned' | 'passHole'
  >;
  readonly hold: PartitionHold;
  readonly retry: PartitionRetry['retry'];
}

/**
 * A hole stops its partition until the loss is accepted or the log is restored. A log that ended before the next offset
 * may grow beyond it with other records, which would never be read if those offsets counted as done: so the partition
 * continues only when the record before that offset is still the one that was read.
 */
export function holeWork({ options, hold, retry }: HoleDependencies): HoleWork {
  const { log, topic, partition, assignment, onAssigned, passHole } = options;
  /** Digest of the last record read: the record itself might keep a broker's whole answer in memory. */
  let last: { readonly offset: number; readonly digest: string; readonly nextOffset: number } | null = null;

  const isAsItWas = async (offset: number): Promise<boolean> => {
    if (last?.nextOffset !== offset) return false;
    const found = await log.read(topic, partition, last.offset);
    return found !== null && recordDigest(found) === last.digest;
  };
  const placeAfterRestoring = async (hole: LogHole): Promise<number> => {
    const { end } = await log.bounds(topic, partition);
    if (end < hole.offset) throw hole;
    // A service with its own digest compares it as at the start.
    if (onAssigned !== undefined) return (await onAssigned(assignment)) ?? hole.offset;
    if (await isAsItWas(hole.offset)) return hole.offset;
    throw new LogHole(
      topic,
      partition,
      hole.offset,
      'a log that had ended before it and grew again, and nothing shows that it is the same one (where it is, start this process again)',
    );
  };

  return {
    taken: ({ records, nextOffset }) => {
      // A service with its own digest does not need ours.
      if (onAssigned !== undefined) return;
      const record = records.at(-1)!;
      last = { offset: record.offset, digest: recordDigest(record), nextOffset };
    },
    meet: async (hole, signal) => {
      const past = await retry(signal, () => passHole?.(hole) ?? null);
      if (past !== null) {
        hold.goOn();
        return past;
      }
      await hold.lookLater(hole, signal);
      if (hole.untilOffset === null)
        return hold.untilPossible(signal, () => retry(signal, () => placeAfterRestoring(hole)));
      // With nothing after the hole no batch will come that would show that it is repaired.
      const { end } = await retry(signal, () => log.bounds(topic, partition));
      if (end === hole.offset) hold.goOn();
      return hole.offset;
    },
  };
}
