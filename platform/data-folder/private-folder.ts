import { chmodSync, mkdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

const OTHERS = 0o077;

/**
 * Creates a folder that only this process's user may enter, or restricts an existing one. Throws if another user owns
 * it, who could open it again at any time, or if its file system does not store modes. Returns the mode that was
 * corrected, or null if it was correct.
 */
export function makePrivateFolder(folder: string): number | null {
  makeFolders(folder);
  const found = statSync(folder);
  refuseStrangers(folder, found);
  if (isPrivate(found)) return null;
  chmodSync(folder, 0o700);
  if (!isPrivate(statSync(folder))) {
    throw new Error(
      `other users can access ${folder} (mode ${modeOf(found)}), and its file system does not support permissions; choose a folder on another disk`,
    );
  }
  return found.mode & 0o777;
}

/**
 * Creates a folder and its missing parents. Node's `recursive` never returns if the system denies that the folder can
 * exist, as below /proc.
 */
function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (path.dirname(folder) !== folder) makeFolders(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Throws unless the folder belongs to this process's user and no other user may enter it. */
export function refuseOpenFolder(folder: string, found: Stats): void {
  refuseStrangers(folder, found);
  if (isPrivate(found)) return;
  throw new Error(`other users can access ${folder} (mode ${modeOf(found)}). Run: chmod 700 ${folder}`);
}

function refuseStrangers(folder: string, found: Stats): void {
  const own = process.geteuid?.() ?? found.uid;
  if (found.uid === own) return;
  throw new Error(
    `${folder} belongs to user ${found.uid}, but this process runs as user ${own}; choose another folder, or run: chown -R ${own} ${folder}`,
  );
}

const isPrivate = (found: Stats): boolean => (found.mode & OTHERS) === 0;
const modeOf = (found: Stats): string => (found.mode & 0o777).toString(8);
