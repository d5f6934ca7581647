/**
 * Runs before the suite: pauses between attempts can be made to pass at once. Nothing changes while a check waits for a
 * tree or for the books to settle, so its real pauses would only be waited for. Monotonic time passes all the same.
 */
const KEY = Symbol.for('cas.test.virtual-pauses');
const pauses = { isVirtual: false };
(globalThis as unknown as Record<symbol, typeof pauses>)[KEY] = pauses;

// Not by an import: what a module imports by name stays what it was when the first module imported it.
const timers = process.getBuiltinModule('node:timers/promises');
const pauseFor = timers.setTimeout;
const clock = performance.now.bind(performance);
let passedMs = 0;
performance.now = () => clock() + passedMs;

timers.setTimeout = (async (ms: number, value: unknown, options?: { readonly ref?: boolean }) => {
  // One that keeps no process alive is a limit of time for something else, which must not be over at once.
  if (!pauses.isVirtual || options?.ref === false) return pauseFor(ms, value, options);
  passedMs += ms;
  await timers.setImmediate();
  return value;
}) as typeof timers.setTimeout;
