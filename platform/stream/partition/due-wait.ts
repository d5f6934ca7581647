import { delayOf } from '../failure/retry-route.ts';
import type { PartitionWorkOptions } from './work-options.ts';

/**
 * Pauses a partition until its next record is due. The handler returns at once, so that the group sees it alive. Due
 * times are wall-clock times, and that clock may be set back at any moment. So a record that was read here waits no
 * longer than its topic's delay on a monotonic clock. A record that arrives while others wait may wait twice.
 */
export function dueWait({ topic, partition, route, now, clock, consumer }: PartitionWorkOptions) {
  const delayMs = delayOf(route, topic) ?? 0;
  let timer: NodeJS.Timeout | undefined;
  /** Records below `upTo` have been waiting here since `at`. */
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
