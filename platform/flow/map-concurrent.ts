/**
 * Maps the items, at most `concurrency` at a time, with results in the order of the items. After the first error no
 * further item is started, and the error is thrown once everything in flight has finished.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  let failed: { readonly error: unknown } | null = null;
  const worker = async (): Promise<void> => {
    while (next < items.length && failed === null) {
      const at = next++;
      try {
        results[at] = await work(items[at]!);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  // Assigned in a closure, which the compiler does not track.
  const failure = failed as { readonly error: unknown } | null;
  if (failure !== null) throw failure.error;
  return results;
}
