import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for the next tick; there is one every `everyMs`. All waiters share it, so that partitions resume together and
 * their appends share one write to the log.
 */
export function createTick(everyMs: number): () => Promise<void> {
  let next: Promise<void> | undefined;
  return () => {
    next ??= sleep(everyMs - (performance.now() % everyMs)).then(() => {
      next = undefined;
    });
    return next;
  };
}
