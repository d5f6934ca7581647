import { chmodSync, statfsSync } from 'node:fs';
import { makeRunFolder } from '../real/run-folder.ts';
import { rememberFolder } from './folder.ts';

/** Where Linux keeps in-memory files. */
const MEMORY = '/dev/shm';
/** A multiple of the space that a run's files need at a time. */
const NEEDED_BYTES = 4 * 2 ** 30;
/** Like the system's temporary folder: tests that act as another user must be able to enter it. */
const SHARED_FOLDER_MODE = 0o1777;

/**
 * Puts a run's temporary files into memory if there is room. The embedded stores flush before every answer, and on a
 * shared disk tests would mostly wait for that. No test can tell the difference: flushing protects against a power
 * failure, which no test simulates.
 */
export default function setUp(): void {
  if (!hasRoom()) return;
  const folder = makeRunFolder({ parent: MEMORY, prefix: 'cas-tests-' });
  chmodSync(folder, SHARED_FOLDER_MODE);
  rememberFolder(folder);
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
