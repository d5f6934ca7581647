import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file in a folder that a server may be writing to. `name` is relative to the folder. */
export interface FoundFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Null when a file was removed or renamed after it was listed. */
function readAll(folder: string): FoundFile[] | null {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  try {
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = path.join(entry.parentPath, entry.name);
        return { name: path.relative(folder, file), bytes: readFileSync(file) };
      });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const ATTEMPTS = 100;

/** Every file below a folder. Servers may rewrite and merge files at any time; then all are read again. */
export function filesBelow(folder: string): FoundFile[] {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const files = readAll(folder);
    if (files !== null) return files;
  }
  throw new Error(`the files below ${folder} never kept still`);
}
