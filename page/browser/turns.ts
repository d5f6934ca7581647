/** Longest stretch of work before the page may draw and answer, ms: a frame at 60 a second has 16. */
const SLICE_MS = 12;

/** A point at which work gives way once its slice is used up. `clock`: ms; `nextTurn` resolves after what is waiting ran. */
export function turns(clock: () => number, nextTurn: () => Promise<void>): () => Promise<void> {
  let since = clock();
  return async () => {
    if (clock() - since < SLICE_MS) return;
    await nextTurn();
    since = clock();
  };
}

/**
 * Not `setTimeout`: browsers delay it, by 4 ms always and by a second in a tab that is not seen. A channel each time: an
 * open one would keep a process alive.
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
