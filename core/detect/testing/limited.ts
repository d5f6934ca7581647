import vm from 'node:vm';
import fc from 'fast-check';

const LIMIT_MS = 1_000;

/**
 * Checks a random case against V8's own engine. V8 tries every way to match, which can take a random pattern hours: a case
 * that exceeds a second is skipped. The limit of `vm` interrupts matching too.
 */
export function limited(check: () => void): void {
  try {
    vm.runInNewContext('check()', { check }, { timeout: LIMIT_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    fc.pre(false);
  }
}
