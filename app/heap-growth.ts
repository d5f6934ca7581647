import { setFlagsFromString } from 'node:v8';

/** How much V8's heaps may grow beyond what was in use at the last full collection, percent. */
const GROWTH_PERCENT = 70;

/**
 * V8 lets a heap grow to several times its content before a full collection, which suits a program that has the machine
 * to itself. The embedded profile has two large heaps in one process, of the API and of analyzer and sink, next to the
 * warehouse's engine. Applies to every thread of the process, from its next collection on.
 */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
