import type { PartitionRunner } from './partition-runner.ts';
import type { ConsumerHandlers, EventLog, LogGap, Tail, TailOptions } from './port.ts';

interface TailSource {
  /** End of each partition, where the tail starts. */
  readonly ends: readonly number[];
  readonly bounds: EventLog['bounds'];
  /** Starts to deliver a partition. */
  readonly run: (
    partition: number,
    handlers: ConsumerHandlers,
    onFailure: (error: unknown) => void,
  ) => PartitionRunner;
  /** Called once, when nothing is delivered any longer. */
  readonly onEnd: () => void;
}

/** Delivers new records of a topic's partitions, starting at their ends, for any adapter. */
export function startTail(
  { onBatch, onSkipped: onPassed, onStopped }: TailOptions,
  source: TailSource,
): Tail {
  const runners: PartitionRunner[] = [];
  let ending: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    ending ??= Promise.all(runners.map((runner) => runner.end())).then(source.onEnd);
    return ending;
  };
  const fail = (error: unknown): void => {
    if (ending !== null) return;
    void stop();
    onStopped?.(
      error instanceof Error
        ? error
        : new Error('a handler threw something that is not an Error', { cause: error }),
    );
  };
  const onGap = async ({ topic, partition, untilOffset }: LogGap): Promise<number> => {
    const next = untilOffset ?? (await source.bounds(topic, partition)).end;
    onPassed?.();
    return next;
  };
  for (const [partition, end] of source.ends.entries()) {
    const handlers: ConsumerHandlers = {
      onAssigned: () => end,
      onBatch: async (batch) => onBatch(batch),
      onGap,
    };
    runners.push(source.run(partition, handlers, fail));
  }
  return { stop };
}
