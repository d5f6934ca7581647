import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/**
 * Bytes of a key file. Refuses a file that others may read, or the group may write: container platforms mount secrets
 * readable by their group. `missing`: creates the content if there is no file yet (mode 0600), or is the advice in the
 * error.
 */
export function readKeyFile(file: string, what: string, missing: (() => Buffer) | string): Buffer {
  if (!existsSync(file)) {
    if (typeof missing === 'string') throw new Error(`${what}: no such file: ${file}. ${missing}`);
    create(file, missing());
    return readKeyFile(file, what, missing);
  }
  const fault = openToOthers(file);
  if (fault !== null) throw new Error(`${what}: ${fault}`);
  return readFileSync(file);
}

/** What to do about a file that others may read, or null if they may not. Throws if there is no such file. */
export function openToOthers(file: string): string | null {
  const mode = statSync(file).mode & 0o777;
  return (mode & 0o027) === 0
    ? null
    : `other users can read ${file} (mode ${mode.toString(8)}). Run: chmod 600 ${file}`;
}

/**
 * Two processes that start together must end up with one key, and a crash must not leave half of one: the finished,
 * flushed draft is linked to its name, which fails for the second process.
 */
function create(file: string, bytes: Buffer): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(descriptor);
    rmSync(draft);
  }
  // Otherwise the name may be gone after a power loss, while data sealed with the key remains.
  const folder = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
