import { constants, getPriority, setPriority } from 'node:os';

/** As `nice` counts: with 10 more a thread gets a tenth of a core that two of them want. */
const STEPS_BEHIND = 10;

/**
 * Lets the calling thread, and those that it starts from now on, go behind others where cores are short: who waits for
 * an answer goes first. Linux only, where a priority is a thread's own; elsewhere it would be the whole process's.
 */
export function goBehind(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS_BEHIND));
  } catch {
    // A sandbox may forbid it; then all share alike.
  }
}
