import { INTERRUPTED, TERMINATED } from './exit-codes.ts';

/** A signal ended the command. */
export class Interrupted extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super('Interrupted');
    this.name = 'Interrupted';
    this.exitCode = exitCode;
  }
}

/** How long a command may clean up after a signal. */
const CLEAN_UP_LIMIT_MS = 15_000;

/**
 * Rejects with `Interrupted` at the first SIGINT or SIGTERM, so that `finally` blocks run. Later signals are ignored,
 * because npm repeats the terminal's.
 */
export function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    const end = (exitCode: number): void => {
      setTimeout(() => process.exit(exitCode), CLEAN_UP_LIMIT_MS).unref();
      reject(new Interrupted(exitCode));
    };
    process.on('SIGINT', () => end(INTERRUPTED)).on('SIGTERM', () => end(TERMINATED));
  });
  // A signal may come while no step waits for it.
  interrupted.catch(() => undefined);
  return interrupted;
}
