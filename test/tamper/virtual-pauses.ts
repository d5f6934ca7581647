/**
 * Runs before the suite so that pauses between attempts can be skipped. Nothing changes while a check waits for a tree
 * or for the reconciliation to settle, so real pauses would be wasted. Monotonic time still advances.
 */
const KEY = Symbol.for('cas.test.virtual-pauses');
const pauses = { isVirtual: false };
(globalThis as unknown as Record<symbol, typeof pauses>)[KEY] = pauses;

// Not an import: named imports keep their value from the first import of the module.
const timers = process.getBuiltinModule('node:timers/promises');
const pauseFor = timers.setTimeout;
const clock = performance.now.bind(performance);
let passedMs = 0;
performance.now = () => clock() + passedMs;

timers.setTimeout = (async (ms: number, value: unknown, options?: { readonly ref?: boolean }) => {
  // A timer that does not keep the process alive is a timeout for something else, which must not expire at once.
  if (!pauses.isVirtual || options?.ref === false) return pauseFor(ms, value, options);
  passedMs += ms;
  await timers.setImmediate();
  return value;
}) as typeof timers.setTimeout;
