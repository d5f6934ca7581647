/**
 * Holds a data folder's lock until it is killed or its parent exits: the second process of the lock test. Argument: the
 * folder. Prints `held` or `refused: <message>`.
 */
import { acquireDataLock } from '../lock.ts';

process.stdin.resume().on('end', () => process.exit(0));
try {
  await acquireDataLock(process.argv[2] ?? '');
  process.stdout.write('held\n');
} catch (error) {
  process.stdout.write(`refused: ${error instanceof Error ? error.message : 'unknown'}\n`, () =>
    process.exit(1),
  );
}
