import { chmodSync, statfsSync } from 'node:fs';
import { makeRunFolder } from '../real/run-folder.ts';
import { holdFolder } from './folder.ts';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
/** Several times what the files of a run take at once. */
const NEEDED_BYTES = 4 * 2 ** 30;
/** As of the system's own folder for such files: a test that plays another user must be able to enter it. */
const ANYBODY_MAKES_FILES = 0o1777;

/**
 * Puts the temporary files of a run into memory where there is room for them. Every answer of the embedded parts waits
 * for a flush, and on a disk that others use as well, tests wait for little else. No test can tell the difference:
 * what a flush is for, a loss of power, none of them brings about.
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
