import { setTimeout as sleep } from 'node:timers/promises';
import type { StopKind } from '../../schemas/vocabulary.ts';
import { PartitionFault } from '../event-log/partition-fault.ts';
import type { PartitionWorkOptions } from './partition-work.ts';

/** A partition that cannot go on. No part of it ever quotes a record. */
export interface PartitionStop {
  readonly topic: string;
  readonly partition: number;
  readonly kind: StopKind;
  readonly reason: string;
  readonly offset: number | null;
  /** Of a hole: the first record behind it. */
  readonly untilOffset: number | null;
  /** What happened and what to do. */
  readonly message: string;
  /** Unix ms. */
  readonly since: number;
}

/** Where a stream says which of its partitions are stopped, and learns that an operator has decided about one. */
export interface StopNotes {
  /** Called again and again while the partition is stopped: what nobody repeats is out of date. */
  note(stop: PartitionStop): Promise<void>;
  forget(topic: string, partition: number): Promise<void>;
  /** Whether the loss of what stops the partition was accepted. */
  decided(fault: PartitionFault): Promise<boolean>;
}

export interface PartitionHold {
  /** Does `work` as often as it takes: while a `PartitionFault` ends it, the partition is stopped. Throws all else. */
  untilPossible<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /** The partition is stopped: resolves when it is time to look again. Throws when the signal fires. */
  lookLater(fault: PartitionFault, signal: AbortSignal): Promise<void>;
  /** The partition goes on. */
  goOn(): void;
  stop(): PartitionStop | null;
  /** The partition is given up: whoever owns it next finds out by itself. */
  end(): Promise<void>;
}

type Options = Pick<
  PartitionWorkOptions,
  'group' | 'topic' | 'partition' | 'limits' | 'stops' | 'metrics' | 'logger' | 'now'
>;

/**
 * Holds one partition that cannot go on, and does its work again from time to time: a key that was restored, a new
 * limit or an accepted loss lets it go on without a restart. Nothing of it is skipped or committed meanwhile.
 */
export function partitionHold(options: Options): PartitionHold {
  const { group, topic, partition, limits, stops, metrics, logger, now } = options;
  let stopped: PartitionStop | null = null;
  let noted: Promise<void> = Promise.resolve();

  /** One after the other, so that a note which is late never outlives its end. A state that is away holds nothing up. */
  const tell = (what: () => Promise<void> | undefined): void => {
    noted = noted
      .then(what)
      .catch((err: unknown) => logger.warn({ topic, partition, err }, 'a stopped partition is not listed'));
  };
  const clear = (): void => {
    if (stopped === null) return;
    metrics?.stopped?.(topic, partition, stopped.reason, false);
    stopped = null;
    tell(() => stops?.forget(topic, partition));
  };
  const goOn = (): void => {
    if (stopped !== null) logger.info({ group, topic, partition }, 'the partition goes on');
    clear();
  };
  const stopFor = (fault: PartitionFault): void => {
    const { kind, reason, offset, untilOffset, message } = fault;
    if (stopped?.reason === reason && stopped.offset === offset) {
      // A hole may have grown.
      const known = { ...stopped, untilOffset, message };
      stopped = known;
      tell(() => stops?.note(known));
      return;
    }
    if (stopped !== null) metrics?.stopped?.(topic, partition, stopped.reason, false);
    const stop = { topic, partition, kind, reason, offset, untilOffset, message, since: now() };
    stopped = stop;
    metrics?.stopped?.(topic, partition, reason, true);
    logger.error(
      { group, topic, partition, reason, offset, err: fault },
      'the partition is stopped and nothing of it is skipped; the others go on',
    );
    tell(() => stops?.note(stop));
  };
  const decided = async (fault: PartitionFault): Promise<boolean> => {
    // A state that does not answer says nothing; the next look comes anyway.
    return (await stops?.decided(fault).catch(() => false)) ?? false;
  };

  const lookLater = async (fault: PartitionFault, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    stopFor(fault);
    const before = await decided(fault);
    for (let waitedMs = 0; waitedMs < limits.lookAgainMs; waitedMs += limits.decisionMs) {
      await sleep(Math.min(limits.decisionMs, limits.lookAgainMs - waitedMs), undefined, { signal });
      if (!before && (await decided(fault))) return;
    }
  };

  return {
    untilPossible: async (signal, work) => {
      for (;;) {
        try {
          const result = await work();
          goOn();
          return result;
        } catch (error) {
          if (!(error instanceof PartitionFault)) throw error;
          await lookLater(error, signal);
        }
      }
    },
    lookLater,
    goOn,
    stop: () => stopped,
    end: async () => {
      clear();
      await noted;
    },
  };
}
