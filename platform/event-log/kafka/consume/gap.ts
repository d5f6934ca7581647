import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter } from '#platform/flow/backoff.ts';
import { LogGap } from '../../port.ts';
import type { TopicPartition } from '../connection/cluster.ts';
import { type KafkaLogger, messageOf } from '../connection/connection.ts';
import { BROKER_BACKOFF } from '../connection/retry.ts';
import type { KafkaOffsets } from './offsets.ts';

/** How often to re-check an offset beyond the end, with a pause before each: a new leader may not know its end yet. */
const RECHECKS = 2;
const RECHECK_PAUSE_MS = 1_000;

interface GapDependencies {
  readonly offsets: Pick<KafkaOffsets, 'bounds'>;
  readonly logger: KafkaLogger;
}

/**
 * Checks an offset that the broker reported as not in the log; only the log's bounds can confirm this. Or the broker
 * answered with `found`, a later offset: the records before it were deleted while they were being read, or in the
 * middle of the log. Resolves to the gap, or, after a pause, to null: fetch the offset again.
 */
export async function checkForGap(
  { offsets, logger }: GapDependencies,
  { topic, partition, offset }: TopicPartition & { readonly offset: number },
  found: number | null,
): Promise<LogGap | null> {
  try {
    for (let attempt = 0; ; attempt += 1) {
      const { start, end } = await offsets.bounds({ topic, partition });
      if (offset >= start && found !== null)
        return new LogGap(topic, partition, offset, `offset ${found}`, found);
      if (offset >= start && offset <= end) {
        await sleep(pauseAfter(BROKER_BACKOFF, 0));
        return null;
      }
      if (offset < start || attempt >= RECHECKS) {
        const until = offset < start ? start : null;
        return new LogGap(topic, partition, offset, `a log that holds ${start} up to ${end}`, until);
      }
      await sleep(RECHECK_PAUSE_MS);
    }
  } catch (error) {
    logger.warn({ topic, partition, reason: messageOf(error) }, 'failed to read partition offsets; retrying');
    // Without the pause, the next fetch would follow at once with the same result.
    await sleep(RECHECK_PAUSE_MS);
    return null;
  }
}
