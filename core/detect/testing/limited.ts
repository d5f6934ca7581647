import vm from 'node:vm';
import fc from 'fast-check';

const LIMIT_MS = 1_000;

/**
 * Checks a random case against V8's regular expression engine. Its backtracking can take hours on a random pattern, so
 * cases that exceed a second are skipped. The `vm` timeout also interrupts matching.
 */
export function limited(check: () => void): void {
  try {
    vm.runInNewContext('check()', { check }, { timeout: LIMIT_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    fc.pre(false);
  }
}
