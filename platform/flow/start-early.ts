/** Values whose production has started. Call `return` if they are not read to the end. */
interface Started<Value> extends AsyncIterable<Value> {
  /** Resolves when the first value is available, or if there are none. Rejects with the error that reading would. */
  readonly started: Promise<void>;
  return(): Promise<void>;
}

/**
 * Yields the same values, but requests the first one now, so that it is produced while something else is read. An error
 * is thrown to the reader.
 */
export function startEarly<Value>(values: AsyncIterable<Value>): Started<Value> {
  const iterator = values[Symbol.asyncIterator]();
  let first: Promise<IteratorResult<Value>> | null = iterator.next();
  const started = first.then(() => undefined);
  // It may fail before anything awaits it.
  started.catch(() => undefined);
  const end = async (): Promise<void> => {
    await iterator.return?.();
  };
  const rest: AsyncIterator<Value> = {
    next: () => {
      const next = first ?? iterator.next();
      first = null;
      return next;
    },
    return: async () => {
      await end();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => rest, started, return: end };
}
