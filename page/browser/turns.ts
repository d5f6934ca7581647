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

/** Not `setTimeout`: browsers delay it, by 4 ms always and by a second in a tab that is not seen. */
export function messageTurn(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return () =>
    new Promise((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
}
