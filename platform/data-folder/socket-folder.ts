import { closeSync, constants, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/** A folder that is kept open for the Unix sockets in it. */
export interface SocketFolder {
  /** Of the open folder itself, even if its path has since been replaced. */
  stats(): Stats;
  /** The path to bind or connect to for a socket of this name. */
  at(name: string): string;
  close(): void;
}

/** Maximum length in bytes of the path in a socket's address, without the final zero, on systems other than Linux. */
const LONGEST_PATH_BYTES = 103;

/**
 * Opens a folder for the sockets in it. On Linux a socket is reached through the open folder: its path may then have
 * any length, and checks made on the folder apply to what is found in it. On other systems a path that is too long for
 * a socket is refused.
 */
export function openSocketFolder(folder: string): SocketFolder {
  if (process.platform !== 'linux') {
    return { stats: () => statSync(folder), at: (name) => plainPath(folder, name), close: () => {} };
  }
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  let isOpen = true;
  return {
    stats: () => fstatSync(descriptor),
    at: (name) => `/proc/self/fd/${descriptor}/${name}`,
    close: () => {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

function plainPath(folder: string, name: string): string {
  const file = path.join(folder, name);
  if (Buffer.byteLength(file) <= LONGEST_PATH_BYTES) return file;
  throw new Error(`the path ${file} is too long for a Unix socket; choose a folder with a shorter path`);
}
