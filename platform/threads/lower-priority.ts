import { constants, getPriority, setPriority } from 'node:os';

/** In units of `nice`: with 10 more, a thread gets a tenth of a core that two compete for. */
const EXTRA_NICENESS = 10;

/**
 * Lowers the priority of the calling thread, and of those that it starts from then on, so that work with a waiting
 * caller goes first when cores are scarce. Linux only, where priorities are per thread; on other systems this would
 * affect the whole process.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + EXTRA_NICENESS));
  } catch {
    // A sandbox may forbid it; then all threads have the same priority.
  }
}
