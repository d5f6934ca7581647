import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Unit of `blocks` in a file's status, whatever the file system's own block size. */
const BYTES_PER_BLOCK = 512;

/** Bytes that a folder takes on disk, in whole blocks. What disappears while it is counted does not count. */
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
