import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Unit of `blocks` in a file's status, independent of the file system's block size. */
const BYTES_PER_BLOCK = 512;

/** Bytes that a folder uses on disk, in whole blocks. Files that disappear while counting are ignored. */
export function diskBytes(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    try {
      bytes += entry.isDirectory() ? diskBytes(file) : lstatSync(file).blocks * BYTES_PER_BLOCK;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return bytes;
}
