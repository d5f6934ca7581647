/** Behind a block of this size or less the next one is made before it is asked for. */
export const MAX_AHEAD_BYTES = 4 * 1024 * 1024;

/**
 * The same blocks. While a small one is sent the engine makes the next, which otherwise waits until its reader has all of
 * the one before; of larger ones a slow reader would have two held for it.
 */
export async function* readAhead(blocks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    let next = blocks.next();
    for (let made = await next; !made.done; made = await next) {
      const isSmall = made.value.length <= MAX_AHEAD_BYTES;
      if (isSmall) {
        next = blocks.next();
        // It may fail while nobody waits for it yet: who has sent the block at hand does, and is told.
        next.catch(() => undefined);
      }
      yield made.value;
      if (!isSmall) next = blocks.next();
    }
  } finally {
    await blocks.return(undefined);
  }
}
