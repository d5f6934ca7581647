/** Polls until `check` returns something other than undefined; fails with `what` after `withinMs`. */
export async function eventually<Value>(
  what: string,
  withinMs: number,
  check: () => Promise<Value | undefined>,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await check();
      if (value !== undefined) return value;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() > deadline) {
      const why = lastError === undefined ? '' : `: ${(lastError as Error).message}`;
      throw new Error(`${what}: not within ${withinMs} ms${why}`, { cause: lastError });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
