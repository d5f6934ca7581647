import { setTimeout as pause } from 'node:timers/promises';

/** Refusals held at once at most; each is a connection and little more. What comes on top is answered at once. */
const MOST = 2_000;

/**
 * Waits before a refusal is answered. A client that asks again as soon as it is refused would otherwise have the
 * service do nothing but refuse; held for a moment, each of its connections costs one refusal in that time. `wait`
 * ends when the time is over.
 */
export function holdRefusals(wait: () => Promise<void>, most = MOST): () => Promise<void> {
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

/** A wait of so many ms that keeps no process alive; 0: none. */
export const waitOf =
  (ms: number): (() => Promise<void>) =>
  async () => {
    if (ms > 0) await pause(ms, undefined, { ref: false });
  };
