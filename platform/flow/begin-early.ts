/** Values whose making has begun. `return` is for those that are not read to their end. */
interface Begun<Value> extends AsyncIterable<Value> {
  /** Resolves when the first one is there, or there are none. Rejects as reading would. */
  readonly begun: Promise<void>;
  return(): Promise<void>;
}

/**
 * The same values, of which the first is asked for now: they are made while something else is still read. An error comes to
 * whoever reads them.
 */
export function beginEarly<Value>(values: AsyncIterable<Value>): Begun<Value> {
  const iterator = values[Symbol.asyncIterator]();
  let first: Promise<IteratorResult<Value>> | null = iterator.next();
  const begun = first.then(() => undefined);
  // It may fail before anyone waits for it.
  begun.catch(() => undefined);
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
  return { [Symbol.asyncIterator]: () => rest, begun, return: end };
}
