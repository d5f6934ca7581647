import { AppendError, AppendFailure, type Batch, type EventLog, type LogRecord } from '../event-log/port.ts';
import { deadLetterGauge } from './dead-letter-limit.ts';
import type { DeathWatch } from './death-watch.ts';
import { deadLettersOf, forwardsOf, ownersOfDone } from './forwards.ts';
import type { StreamMetrics } from './options.ts';
import type { Outcome } from './outcome.ts';
import type { PartitionWorkOptions } from './partition-work.ts';
import type { Repeater } from './repeat.ts';

/** A batch of a partition, or what is taken of it at once. */
export interface Piece {
  readonly batch: Batch;
  /** Offset that everything before it is done up to. */
  readonly position: number;
  readonly how: 'batch' | 'single' | 'crashed';
}

/**
 * Does pieces of one partition's work: resolves when everything that the piece forwards is durable, so that its
 * offset may be committed. In the order that the guarantees rest on.
 */
export function pieceWork(
  options: PartitionWorkOptions,
  deaths: DeathWatch | undefined,
  repeater: Repeater,
): (piece: Piece, signal: AbortSignal) => Promise<void> {
  const { topic, partition, assignment, limits, now, route } = options;
  const gauge = deadLetterGauge(topic, partition, limits.deadLetters, options.wentWell);

  const work = ({ batch, position, how }: Piece, signal: AbortSignal): Promise<readonly Outcome[]> => {
    const process = () => options.process(batch, { signal, assignment, oneByOne: how === 'single' });
    if (deaths === undefined) return process();
    // A single record runs alone in the process, so that a death then is its own and no other partition's.
    return options.gate.enter(how === 'single', () => deaths.during(position, batch.nextOffset, process));
  };

  return async (piece, signal) => {
    const { batch, how } = piece;
    const startedAt = now();
    // 1. The work itself. An outage repeats it as a whole, so no attempt is spent on what is no record's fault.
    const outcomes =
      how === 'crashed'
        ? batch.records.map(crashed)
        : await repeater.repeat(signal, () => work(piece, signal));
    signal.throwIfAborted();
    // 2. Where records may fail, before anything is forwarded: after it, a fault of ours would have emptied the topic.
    if (route !== undefined) {
      const counted = deadLettersOf(batch, outcomes, route);
      for (const customerId of ownersOfDone(batch, outcomes)) options.wentWell.wentWell(customerId);
      gauge.take(counted);
    }
    // 3. Forwarded and durable before the commit: the other way round a crash between the two loses the records.
    options.crashPoint?.('before-forward');
    const forwards = forwardsOf(batch, outcomes, route, { now: now(), startedAt });
    await appendAll(options.log, forwards, signal, repeater);
    options.crashPoint?.('after-forward');
    count(options.metrics, batch, outcomes, now() - startedAt);
  };
}

const crashed = (): Outcome => ({
  kind: 'deadLetter',
  failure: { code: 'CRASHED', stage: 'process', errorClass: 'ProcessDied' },
});

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
