/** Exit codes of every command; 0 means done. */
export const FAILED = 1;
/** The command line itself is wrong: nothing was done. */
export const WRONG_USAGE = 2;
/** The code of a shell command that was ended by Ctrl-C. */
export const INTERRUPTED = 130;
/** The code of a shell command that was ended by SIGTERM. */
export const TERMINATED = 143;
/** The code of a shell command whose output no program reads any more. */
export const OUTPUT_CLOSED = 141;

/** Printed in the program's help. */
export const EXIT_CODES = `Exit codes:
  0    done
  1    failed, or refused by the service
  2    wrong command, option or argument
  3    "cas watch" gave up: the service could not be reached
  130  stopped by Ctrl-C
  141  the reader of the output ended, as "head" does`;

/** Arguments that contradict each other. The message says which, and what to do. */
export class WrongUsage extends Error {
  readonly exitCode = WRONG_USAGE;
  constructor(message: string) {
    super(message);
    this.name = 'WrongUsage';
  }
}
