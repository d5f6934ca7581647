import { setFlagsFromString } from 'node:v8';

/** How much the heaps of V8 may grow over what was in use at the last full collection, percent. */
const GROWTH_PERCENT = 70;

/**
 * V8 lets a heap grow to several times what it holds before it collects all of it, which suits one program that has the
 * machine to itself. The embedded set-up has two large heaps in one process, that of the API and that of analyzer and sink,
 * next to the warehouse's engine. Applies to every thread of the process, from its next collection on.
 */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
