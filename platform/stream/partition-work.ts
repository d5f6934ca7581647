import { PartitionFault } from '../event-log/partition-fault.ts';
import {
  type Assignment,
  type Batch,
  type Consumer,
  type LogHole,
  StalePartition,
} from '../event-log/port.ts';
import type { CommitQueue } from './commit-queue.ts';
import { deathWatch } from './death-watch.ts';
import type { Gate } from './gate.ts';
import { holeWork } from './hole-work.ts';
import type { StreamLimits, StreamOptions } from './options.ts';
import { orAborted } from './or-aborted.ts';
import { partitionCommits } from './partition-commits.ts';
import { type PartitionHold, partitionHold } from './partition-hold.ts';
import { pieceWork } from './piece.ts';
import type { RecentCustomers } from './recent-customers.ts';
import { createRepeater, type Repeater } from './repeat.ts';
import { delayOf } from './retry-route.ts';
import { splitDue, splitFirst } from './split-batch.ts';

export interface PartitionWorkOptions extends StreamOptions {
  readonly topic: string;
  readonly partition: number;
  /** What the work is done under; it says who it is by its identity. */
  readonly assignment: Assignment;
  readonly limits: StreamLimits;
  readonly now: () => number;
  readonly clock: () => number;
  readonly isOutage: (error: unknown) => boolean;
  /** Shared by the partitions of the stream. */
  readonly gate: Gate;
  readonly commits: CommitQueue;
  readonly beat: () => Promise<void>;
  readonly wentWell: RecentCustomers;
  /** Resolves before the first batch; a batch may come before the call that joined the group has returned. */
  readonly consumer: () => Promise<Consumer>;
}

/** The work on one partition under one assignment. */
export interface PartitionWork extends Repeater {
  /** Offset that the first batch will begin at, or earlier where offsets have gaps. */
  startAt(position: number): void;
  run(batch: Batch, signal: AbortSignal): Promise<void>;
  /** What stops the partition, if something does. */
  readonly hold: PartitionHold;
  /** Resolves with the offset to look at next; rejects when the signal fires. */
  meetHole(hole: LogHole, signal: AbortSignal): Promise<number>;
  /** Commits at once what is done, as far as that succeeds. */
  settle(): Promise<void>;
  /** The partition is given up alive: clears what is still planned for it, and says that this is no death. */
  end(): Promise<void>;
}

export function partitionWork(options: PartitionWorkOptions): PartitionWork {
  const { group, topic, partition, limits, now, route, deathMarks } = options;
  const deaths = deathMarks && deathWatch({ expiring: deathMarks, group, topic, partition, now });
  const repeater = createRepeater(options);
  const { repeat } = repeater;
  const committing = createRepeater(options);
  const commits = partitionCommits({ topic, partition, queue: options.commits, repeater: committing });
  const doPiece = pieceWork(options, deaths, repeater);
  const hold = partitionHold(options);
  const holes = holeWork({ options, hold, repeat });
  let position = 0;
  let running = false;

  const step = async (
    batch: Batch,
    signal: AbortSignal,
    how: 'batch' | 'single' | 'crashed',
  ): Promise<void> => {
    await doPiece({ batch, position, how }, signal);
    hold.goOn();
    holes.taken(batch);
    position = batch.nextOffset;
    // Committed last, behind the work: a crash before it repeats some pieces, which whoever reads the forwarded
    // records tolerates. Where deaths are looked for, the next owner must find the very place.
    await commits.done(position, signal);
    if (deaths?.careful()) await commits.settled(signal);
  };

  const runDue = async (batch: Batch, signal: AbortSignal): Promise<void> => {
    if (deaths === undefined) return step(batch, signal, 'batch');
    for (let left: Batch | null = batch; left !== null; ) {
      const how = await repeat(signal, () => deaths.look(position, batch.end));
      if (how === 'batch') return step(left, signal, how);
      const [first, rest]: [Batch, Batch | null] = splitFirst(left);
      await step(first, signal, how);
      left = rest;
    }
  };

  const rest = async (tookMs: number): Promise<void> => {
    if (options.rest !== undefined) await options.rest();
    else if (tookMs < limits.gatherMs) await options.beat();
  };

  const wait = dueWait(options);
  return {
    ...repeater,
    reachable: () => repeater.reachable() && committing.reachable(),
    startAt: (offset) => {
      position = offset;
    },
    run: async (batch, signal) => {
      const begunAt = performance.now();
      if (running) throw new Error(`two batches of ${topic}/${partition} at the same time`);
      running = true;
      // After a rebalance that left the partition here, what was not committed comes again.
      position = Math.min(position, batch.records[0]?.offset ?? position);
      try {
        const split = splitDue(batch, route, now(), wait.waitedUpTo());
        if (split.due !== null) await runDue(split.due, signal);
        if (split.waiting !== null) await wait.until(split.waiting, batch.nextOffset);
        // Nothing more was there: what comes next may gather for a moment. After a pause nobody waits for it.
        const isDrained = batch.nextOffset >= batch.end;
        if (isDrained) await orAborted(rest(performance.now() - begunAt), signal);
      } catch (error) {
        if (signal.aborted) return;
        // The partition is stopped. Then its records are read anew: they may have been mended, or have left the log.
        if (error instanceof PartitionFault) await hold.lookLater(error, signal);
        // A lost partition is no fault: its new owner repeats the batch. Should it stay here after all, so do we.
        else if (!(error instanceof StalePartition)) throw error;
        (await options.consumer()).seek(topic, partition, position);
      } finally {
        running = false;
        // While commits are still taken, so that the next owner repeats as little as possible.
        if (signal.aborted) await commits.giveUp();
      }
    },
    hold,
    meetHole: holes.meet,
    settle: commits.giveUp,
    end: async () => {
      wait.end();
      await commits.giveUp();
      await hold.end();
      // Without it the next owner takes this for a death and is careful for a while, which costs only time.
      await deaths?.leave().catch(() => undefined);
    },
  };
}

/**
 * Holds a partition until its next record is due. The handler returns at once, so that the group sees it alive. Due
 * times are of the wall clock, which may be set back at any moment; so a record that was read here waits no longer
 * than its topic's delay, measured by a clock that only goes on. One that comes while others wait may wait twice.
 */
function dueWait({ topic, partition, route, now, clock, consumer }: PartitionWorkOptions) {
  const delayMs = delayOf(route, topic) ?? 0;
  let timer: NodeJS.Timeout | undefined;
  /** Records below this offset have been waiting here since then. */
  let seen = { upTo: 0, at: 0 };
  return {
    waitedUpTo: (): number => (clock() - seen.at >= delayMs ? seen.upTo : 0),
    until: async ({ dueAt, offset }: { dueAt: number; offset: number }, readUpTo: number): Promise<void> => {
      const joined = await consumer();
      if (offset >= seen.upTo) seen = { upTo: readUpTo, at: clock() };
      const leftMs = Math.min(dueAt - now(), seen.at + delayMs - clock());
      joined.pause(topic, partition);
      joined.seek(topic, partition, offset);
      clearTimeout(timer);
      timer = setTimeout(() => joined.resume(topic, partition), Math.max(1, leftMs));
    },
    end: (): void => clearTimeout(timer),
  };
}
