import { setTimeout as pause } from 'node:timers/promises';

/**
 * Maximum number of refusals delayed at once; each is a connection and little more. Further refusals are answered
 * immediately.
 */
const MAX_DELAYED = 2_000;

/**
 * Delays refusals. A client that retries immediately would otherwise keep the service busy with refusals; delayed, each
 * of its connections costs one refusal per delay. `wait` resolves after the delay.
 */
export function delayRefusals(wait: () => Promise<void>, most = MAX_DELAYED): () => Promise<void> {
  let delayed = 0;
  return async () => {
    if (delayed >= most) return;
    delayed++;
    try {
      await wait();
    } finally {
      delayed--;
    }
  };
}

/** A delay in ms that keeps no process alive; 0: none. */
export const waitOf =
  (ms: number): (() => Promise<void>) =>
  async () => {
    if (ms > 0) await pause(ms, undefined, { ref: false });
  };
