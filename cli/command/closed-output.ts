import { FAILED, OUTPUT_CLOSED } from './exit-codes.ts';
import { fileFault } from './file-fault.ts';
import { printError } from './output.ts';

/**
 * Ends the process when its output cannot be written: silently when the reader is gone, as `cas … | head` makes it, else
 * with one line. Commands that clean up on SIGTERM do so then too.
 */
export function endOnFailedOutput(): void {
  let hasFailed = false;
  const end = (error: NodeJS.ErrnoException, stream: NodeJS.WriteStream): void => {
    // Every later write fails too.
    if (hasFailed) return;
    hasFailed = true;
    const isClosed = error.code === 'EPIPE';
    if (!isClosed && stream === process.stdout)
      printError(`cas: Cannot write to standard output: ${fileFault(error)}`);
    const code = isClosed ? OUTPUT_CLOSED : FAILED;
    if (process.listenerCount('SIGTERM') === 0) process.exit(code);
    process.exitCode = code;
    process.emit('SIGTERM', 'SIGTERM');
  };
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => end(error, stream));
}
