/** Longest work before the page may draw and respond, ms: a frame at 60 per second has 16. */
const SLICE_MS = 12;

/**
 * Returns a function that yields once the time slice is used up. `clock`: ms; `nextTurn` resolves after pending work
 * ran.
 */
export function turns(clock: () => number, nextTurn: () => Promise<void>): () => Promise<void> {
  let since = clock();
  return async () => {
    if (clock() - since < SLICE_MS) return;
    await nextTurn();
    since = clock();
  };
}

/**
 * Not `setTimeout`: browsers delay it, by 4 ms always and by a second in a hidden tab. A new channel each time, because
 * an open one would keep a process alive.
 */
export const messageTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
