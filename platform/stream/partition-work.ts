import {
  AppendError,
  AppendFailure,
  type Batch,
  type Consumer,
  type EventLog,
  type LogRecord,
  StalePartition,
} from '../event-log/port.ts';
import { deadLetterGauge } from './dead-letter-limit.ts';
import { deathWatch } from './death-watch.ts';
import { deadLettersOf, forwardsOf } from './forwards.ts';
import type { Gate } from './gate.ts';
import type { StreamLimits, StreamMetrics, StreamOptions } from './options.ts';
import type { Outcome } from './outcome.ts';
import { createRepeater, type Repeater } from './repeat.ts';
import { singles, splitDue } from './split-batch.ts';

export interface PartitionWorkOptions extends StreamOptions {
  readonly topic: string;
  readonly partition: number;
  readonly limits: StreamLimits;
  readonly now: () => number;
  readonly isOutage: (error: unknown) => boolean;
  /** Shared by the partitions of the stream. */
  readonly gate: Gate;
  /** Resolves before the first batch; a batch may come before the call that joined the group has returned. */
  readonly consumer: () => Promise<Consumer>;
}

/** The work on one partition for as long as it is owned. */
export interface PartitionWork extends Repeater {
  /** Offset that the first batch will begin at, or earlier where offsets have gaps. */
  startAt(position: number): void;
  run(batch: Batch, signal: AbortSignal): Promise<void>;
  /** Clears what is still planned for the partition. */
  end(): void;
}

export function partitionWork(options: PartitionWorkOptions): PartitionWork {
  const { group, topic, partition, limits, now, route, deathMarks } = options;
  const gauge = deadLetterGauge(topic, partition, limits.deadLetters);
  const deaths = deathMarks && deathWatch(deathMarks, group, topic, partition);
  const repeater = createRepeater(options);
  const { repeat } = repeater;
  let position = 0;

  const work = (batch: Batch, signal: AbortSignal, how: 'batch' | 'single'): Promise<readonly Outcome[]> => {
    const process = () => options.process(batch, { signal, oneByOne: how === 'single' });
    if (deaths === undefined) return process();
    // Marked before the work: without it a record that kills the process would kill its successors for ever. A single
    // record runs alone in the process, so that a death then is its own and no other partition's.
    return options.gate.enter(how === 'single', () => deaths.during(position, batch.nextOffset, process));
  };

  /** Everything about one piece of a partition, in the order that the guarantees rest on. */
  const step = async (
    batch: Batch,
    signal: AbortSignal,
    how: 'batch' | 'single' | 'crashed',
  ): Promise<void> => {
    const startedAt = now();
    // 1. The work itself. An outage repeats it as a whole, so no attempt is spent on what is no record's fault.
    const outcomes =
      how === 'crashed' ? batch.records.map(crashed) : await repeat(signal, () => work(batch, signal, how));
    signal.throwIfAborted();
    // 2. Before anything is forwarded: after it, a fault of ours would already have emptied the topic.
    gauge.take(deadLettersOf(batch, outcomes, route));
    // 3. Forwarded and durable before the commit: the other way round a crash between the two loses the records.
    options.crashPoint?.('before-forward');
    const forwards = forwardsOf(batch, outcomes, route, { now: now(), startedAt });
    await appendAll(options.log, forwards, signal, repeater);
    options.crashPoint?.('after-forward');
    // 4. Committed last: a crash before it repeats the piece, which whoever reads the forwarded records tolerates.
    options.crashPoint?.('before-commit');
    const consumer = await options.consumer();
    await repeat(signal, () => consumer.commit(topic, partition, batch.nextOffset), mayCommitAgain);
    options.crashPoint?.('after-commit');
    position = batch.nextOffset;
    count(options.metrics, batch, outcomes, now() - startedAt);
  };

  const runDue = async (batch: Batch, signal: AbortSignal): Promise<void> => {
    if (deaths === undefined) return step(batch, signal, 'batch');
    const look = () => repeat(signal, () => deaths.look(position));
    if ((await look()) === 'batch') return step(batch, signal, 'batch');
    for (const single of singles(batch)) await step(single, signal, await look());
  };

  const wait = dueWait(options);
  return {
    ...repeater,
    startAt: (offset) => {
      position = offset;
    },
    run: async (batch, signal) => {
      try {
        const split = splitDue(batch, route, now());
        if (split.due !== null) await runDue(split.due, signal);
        if (split.waiting !== null) await wait.until(split.waiting.dueAt, split.waiting.offset);
      } catch (error) {
        // Left alive: whoever owns the partition next must not take this for a death.
        await deaths?.leave().catch(() => undefined);
        // A lost partition is no fault: its new owner repeats the batch.
        if (!signal.aborted && !(error instanceof StalePartition)) throw error;
      }
    },
    end: wait.end,
  };
}

const crashed = (): Outcome => ({
  kind: 'deadLetter',
  failure: { code: 'CRASHED', stage: 'process', errorClass: 'ProcessDied' },
});

/** A commit that fails loses nothing, so whatever it fails of is repeated, unless the partition is gone. */
const mayCommitAgain = (error: unknown): boolean =>
  !(error instanceof StalePartition) && !(error instanceof RangeError);

/** Appends everything in one call. What a failed call did store is not appended again; the rest keeps its order. */
async function appendAll(
  log: Pick<EventLog, 'append'>,
  records: readonly LogRecord[],
  signal: AbortSignal,
  { repeat }: Repeater,
): Promise<void> {
  let left = records;
  await repeat(signal, async () => {
    if (left.length === 0) return;
    try {
      await log.append(left);
    } catch (error) {
      if (error instanceof AppendError) {
        left = left.filter((_, i) => error.outcomes[i] instanceof AppendFailure);
      }
      throw error;
    }
  });
}

function count(
  metrics: StreamMetrics | undefined,
  batch: Batch,
  outcomes: readonly Outcome[],
  durationMs: number,
): void {
  metrics?.batch?.(batch.topic, batch.records.length, durationMs);
  const kinds = new Map<string, number>();
  for (const outcome of outcomes) {
    const kind = outcome.kind === 'drop' ? outcome.reason : outcome.kind;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  for (const [kind, number] of kinds) metrics?.records?.(batch.topic, kind, number);
}

/** Holds a partition until its next record is due. The handler returns at once, so that the group sees it alive. */
function dueWait({ topic, partition, now, consumer }: PartitionWorkOptions) {
  let timer: NodeJS.Timeout | undefined;
  return {
    until: async (dueAt: number, offset: number): Promise<void> => {
      const joined = await consumer();
      joined.pause(topic, partition);
      joined.seek(topic, partition, offset);
      clearTimeout(timer);
      timer = setTimeout(() => joined.resume(topic, partition), Math.max(1, dueAt - now()));
    },
    end: (): void => clearTimeout(timer),
  };
}
