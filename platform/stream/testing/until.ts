/** Resolves when the condition holds; rejects after `limitMs`. For conditions without an event. */
export async function until(condition: () => boolean, limitMs = 5_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
