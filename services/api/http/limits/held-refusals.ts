import { setTimeout as pause } from 'node:timers/promises';

/**
 * Maximum number of refusals held at once; each is a connection and little more. Beyond that, refusals are answered at
 * once.
 */
const MAX_HELD = 2_000;

/**
 * Delays refusals. A client that retries as soon as it is refused would otherwise keep the service busy with refusals;
 * delayed, each of its connections costs one refusal per delay. `wait` resolves after the delay.
 */
export function holdRefusals(wait: () => Promise<void>, most = MAX_HELD): () => Promise<void> {
  let held = 0;
  return async () => {
    if (held >= most) return;
    held++;
    try {
      await wait();
    } finally {
      held--;
    }
  };
}

/** A delay of this many ms that keeps no process alive; 0: none. */
export const waitOf =
  (ms: number): (() => Promise<void>) =>
  async () => {
    if (ms > 0) await pause(ms, undefined, { ref: false });
  };
