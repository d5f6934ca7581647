/** After a block of at most this size, the next one is produced ahead of demand. */
export const MAX_AHEAD_BYTES = 4 * 1024 * 1024;

/**
 * Yields the same blocks. While a small block is sent, the engine already produces the next one instead of waiting for
 * its reader. Larger blocks are not read ahead, because a slow reader would hold two of them in memory.
 */
export async function* readAhead(blocks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    let next = blocks.next();
    for (let made = await next; !made.done; made = await next) {
      const isSmall = made.value.length <= MAX_AHEAD_BYTES;
      if (isSmall) {
        next = blocks.next();
        // It may fail before anyone awaits it; the consumer awaits it after the current block and gets the error then.
        next.catch(() => undefined);
      }
      yield made.value;
      if (!isSmall) next = blocks.next();
    }
  } finally {
    await blocks.return(undefined);
  }
}
