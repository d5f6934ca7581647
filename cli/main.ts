#!/usr/bin/env node
import { readArguments } from './command/arguments.ts';
import { RequestFailed } from './command/client.ts';
import { endOnFailedOutput } from './command/closed-output.ts';
import { FAILED, WRONG_USAGE, WrongUsage } from './command/exit-codes.ts';
import { printError } from './command/output.ts';
import { settingsFromEnvironment } from './command/settings.ts';
import { isPrinted } from './command/usage-errors.ts';
import { createProgram } from './program.ts';
import { WatchGaveUp } from './verify/keep-watching.ts';

// Files written by any command (data, keys, exports) are for the current user only.
process.umask(0o077);

endOnFailedOutput();
const program = createProgram(settingsFromEnvironment);
try {
  await program.parseAsync(readArguments(program, process.argv.slice(2)), { from: 'user' });
} catch (error) {
  process.exitCode = report(error);
}

/** Prints an error that was not printed yet; returns the exit code. */
function report(error: unknown): number {
  if (isPrinted(error)) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  // For errors that users can act on, the message is enough; the stack is for program faults.
  const expected = error instanceof RequestFailed || (error instanceof Error && error.name !== 'TypeError');
  printError(`cas: ${expected ? (error as Error).message : String((error as Error).stack)}`);
  return error instanceof WatchGaveUp || error instanceof WrongUsage ? error.exitCode : FAILED;
}
