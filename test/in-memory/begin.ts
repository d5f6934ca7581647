import { chmodSync, statfsSync } from 'node:fs';
import { makeRunFolder } from '../real/run-folder.ts';
import { holdFolder } from './folder.ts';

/** Where Linux keeps in-memory files. */
const MEMORY = '/dev/shm';
/** Several times the space that a run's files need at once. */
const NEEDED_BYTES = 4 * 2 ** 30;
/** Like the system's own folder for such files: a test that plays another user must be able to enter it. */
const ANYBODY_MAKES_FILES = 0o1777;

/**
 * Puts a run's temporary files into memory if there is room for them. Every answer of the embedded stores waits for a
 * flush, and on a shared disk tests wait for little else. No test can tell the difference: flushing protects against a
 * power failure, which no test simulates.
 */
export default function begin(): void {
  if (!hasRoom()) return;
  const folder = makeRunFolder({ parent: MEMORY, prefix: 'cas-tests-' });
  chmodSync(folder, ANYBODY_MAKES_FILES);
  holdFolder(folder);
  process.env.TMPDIR = folder;
}

function hasRoom(): boolean {
  if (process.availableMemory() < 2 * NEEDED_BYTES) return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
