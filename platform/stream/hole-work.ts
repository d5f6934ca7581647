import { type Batch, LogHole } from '../event-log/port.ts';
import { recordDigest } from '../event-log/record-digest.ts';
import type { PartitionHold } from './partition-hold.ts';
import type { PartitionWorkOptions } from './partition-work.ts';
import type { Repeater } from './repeat.ts';

/** What one assignment of a partition does when records are missing that should come next. */
export interface HoleWork {
  /** Everything below the batch's end was taken from the log that is there now. */
  taken(batch: Batch): void;
  /** Resolves with the offset to look at next; rejects when the signal fires. */
  meet(hole: LogHole, signal: AbortSignal): Promise<number>;
}

interface HoleParts {
  readonly options: Pick<
    PartitionWorkOptions,
    'log' | 'topic' | 'partition' | 'assignment' | 'onAssigned' | 'passHole'
  >;
  readonly hold: PartitionHold;
  readonly repeat: Repeater['repeat'];
}

/**
 * A hole holds its partition until its loss was accepted or the log was restored. A log that ended before what comes
 * next may grow beyond it with other records, which nobody would ever read if their place were taken for done: so the
 * partition goes on only when the record before that place is still the one that was read.
 */
export function holeWork({ options, hold, repeat }: HoleParts): HoleWork {
  const { log, topic, partition, assignment, onAssigned, passHole } = options;
  /** The last record that was taken, by its digest: the record itself may keep a whole answer of a broker in memory. */
  let last: { readonly offset: number; readonly digest: string; readonly nextOffset: number } | null = null;

  const isAsItWas = async (offset: number): Promise<boolean> => {
    if (last?.nextOffset !== offset) return false;
    const found = await log.read(topic, partition, last.offset);
    return found !== null && recordDigest(found) === last.digest;
  };
  const placeAfterRestoring = async (hole: LogHole): Promise<number> => {
    const { end } = await log.bounds(topic, partition);
    if (end < hole.offset) throw hole;
    // Whoever keeps a digest of its own compares it as at the start.
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
      // Who has a digest of its own needs none of ours.
      if (onAssigned !== undefined) return;
      const record = records.at(-1)!;
      last = { offset: record.offset, digest: recordDigest(record), nextOffset };
    },
    meet: async (hole, signal) => {
      const past = await repeat(signal, () => passHole?.(hole) ?? null);
      if (past !== null) {
        hold.goOn();
        return past;
      }
      await hold.lookLater(hole, signal);
      if (hole.untilOffset === null)
        return hold.untilPossible(signal, () => repeat(signal, () => placeAfterRestoring(hole)));
      // With nothing behind the hole there is nothing to wait for: no batch will come that tells that it is mended.
      const { end } = await repeat(signal, () => log.bounds(topic, partition));
      if (end === hole.offset) hold.goOn();
      return hole.offset;
    },
  };
}
