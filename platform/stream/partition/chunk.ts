import {
  AppendError,
  AppendFailure,
  type Batch,
  type EventLog,
  type LogRecord,
} from '#platform/event-log/port.ts';
import { deadLetterGauge } from '../failure/dead-letter-limit.ts';
import type { Outcome } from '../failure/outcome.ts';
import type { PoisonRecordDetection } from '../failure/poison-records.ts';
import { deadLettersOf, forwardsOf, ownersOfDone } from './forwards.ts';
import type { StreamMetrics } from './options.ts';
import type { PartitionRetry } from './partition-retry.ts';
import type { PartitionWorkOptions } from './work-options.ts';

/** A batch of a partition, or the part of it that is processed in one go. */
interface Chunk {
  readonly batch: Batch;
  /** Everything below this offset is done. */
  readonly position: number;
  readonly how: 'batch' | 'single' | 'crashed';
}

/**
 * Processes chunks of one partition. Resolves when all records forwarded by the chunk are durable, so that its offset
 * may be committed. The guarantees depend on the order of the steps.
 */
export function chunkWork(
  options: PartitionWorkOptions,
  deaths: PoisonRecordDetection | undefined,
  retrying: PartitionRetry,
): (chunk: Chunk, signal: AbortSignal) => Promise<void> {
  const { topic, partition, assignment, limits, now, route } = options;
  const gauge = deadLetterGauge(topic, partition, limits.deadLetters, options.recentSuccesses);

  const work = ({ batch, position, how }: Chunk, signal: AbortSignal): Promise<readonly Outcome[]> => {
    const process = () => options.process(batch, { signal, assignment, oneByOne: how === 'single' });
    if (deaths === undefined) return process();
    // A single record runs alone in the process, so that a death is attributed to it and to no other partition.
    return options.gate.enter(how === 'single', () => deaths.during(position, batch.nextOffset, process));
  };

  return async (chunk, signal) => {
    const { batch, how } = chunk;
    const startedAt = now();
    // 1. The work itself. It is retried as a whole during an outage, so no attempt is spent on a failure outside the
    //    record.
    const outcomes =
      how === 'crashed'
        ? batch.records.map(crashed)
        : await retrying.retry(signal, () => work(chunk, signal));
    signal.throwIfAborted();
    // 2. The dead-letter limit, before anything is forwarded: checked later, a fault of ours would have emptied the
    //    topic.
    if (route !== undefined) {
      const counted = deadLettersOf(batch, outcomes, route);
      for (const customerId of ownersOfDone(batch, outcomes)) options.recentSuccesses.noteSuccess(customerId);
      gauge.take(counted);
    }
    // 3. Forwarded and durable before the commit; in the reverse order a crash in between would lose the records.
    const forwards = forwardsOf(batch, outcomes, route, { now: now(), startedAt });
    const appendStartedAt = options.clock();
    await appendAll(options.log, forwards, signal, retrying);
    if (forwards.length > 0) options.onAppended?.(forwards.length, options.clock() - appendStartedAt);
    count(options.metrics, batch, outcomes, now() - startedAt);
  };
}

const crashed = (): Outcome => ({
  kind: 'deadLetter',
  failure: { code: 'CRASHED', stage: 'process', errorClass: 'ProcessDied' },
});

/**
 * Appends all records in one call. Records that a failed call did store are not appended again; the rest keeps its
 * order.
 */
async function appendAll(
  log: Pick<EventLog, 'append'>,
  records: readonly LogRecord[],
  signal: AbortSignal,
  { retry }: PartitionRetry,
): Promise<void> {
  let left = records;
  await retry(signal, async () => {
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
