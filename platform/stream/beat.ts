import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for the next beat; one comes every `everyMs`. Whoever waits meanwhile shares it, so that partitions go on
 * together and what they append meets in one write of the log.
 */
export function createBeat(everyMs: number): () => Promise<void> {
  let next: Promise<void> | undefined;
  return () => {
    next ??= sleep(everyMs - (performance.now() % everyMs)).then(() => {
      next = undefined;
    });
    return next;
  };
}
