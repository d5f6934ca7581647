import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter } from '#platform/flow/backoff.ts';
import { LogHole } from '../../port.ts';
import type { TopicPartition } from '../connection/cluster.ts';
import { type KafkaLogger, messageOf } from '../connection/connection.ts';
import { BROKER_BACKOFF } from '../connection/retry.ts';
import type { KafkaOffsets } from './offsets.ts';

/** Re-checks of an offset beyond the end, with a pause before each: a new leader may not know its end yet. */
const SECOND_LOOKS = 2;
const SECOND_LOOK_PAUSE_MS = 1_000;

interface HoleDependencies {
  readonly offsets: Pick<KafkaOffsets, 'bounds'>;
  readonly logger: KafkaLogger;
}

/**
 * The broker says that the offset is not in the log: believed only when the log's bounds confirm it. Or it answered
 * with `found`, a later offset: then the records before it were deleted, while they were being read or in the middle of
 * the log. Resolves to the hole, or, after a pause, to null: fetch the offset again.
 */
export async function lookForHole(
  { offsets, logger }: HoleDependencies,
  { topic, partition, offset }: TopicPartition & { readonly offset: number },
  found: number | null,
): Promise<LogHole | null> {
  try {
    for (let look = 0; ; look += 1) {
      const { start, end } = await offsets.bounds({ topic, partition });
      if (offset >= start && found !== null)
        return new LogHole(topic, partition, offset, `offset ${found}`, found);
      if (offset >= start && offset <= end) {
        await sleep(pauseAfter(BROKER_BACKOFF, 0));
        return null;
      }
      if (offset < start || look >= SECOND_LOOKS) {
        const until = offset < start ? start : null;
        return new LogHole(topic, partition, offset, `a log that holds ${start} up to ${end}`, until);
      }
      await sleep(SECOND_LOOK_PAUSE_MS);
    }
  } catch (error) {
    logger.warn({ topic, partition, reason: messageOf(error) }, 'failed to read partition offsets; retrying');
    // Without the pause the next fetch, with the same result, would follow at once.
    await sleep(SECOND_LOOK_PAUSE_MS);
    return null;
  }
}
