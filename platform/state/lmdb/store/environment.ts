import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import path from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';

/** An open LMDB file and its tables by name. */
export interface Environment {
  /** The name under which it was opened. */
  readonly openedAs: string;
  readonly root: RootDatabase<string, string>;
  readonly databases: Map<string, Database<string, string>>;
}

/**
 * `overlappingSync` off: LMDB's own commit flushes before its promise resolves, with half the work of a commit with an
 * overlapping flush. `eventTurnBatching` off: with it a failed commit also rejects an internal promise that nothing can
 * handle, which would end the process.
 */
const OPTIONS = {
  noSubdir: true,
  maxDbs: 16,
  encoding: 'string',
  overlappingSync: false,
  eventTurnBatching: false,
} as const;

const COPY = '.rewrite-';
let copies = 0;

export function openEnvironment(file: string, tables: Iterable<string> = []): Environment {
  const root: RootDatabase<string, string> = open({ path: file, ...OPTIONS });
  const databases = new Map<string, Database<string, string>>();
  for (const name of tables) databases.set(name, openTable(root, name));
  return { openedAs: file, root, databases };
}

export const openTable = (root: RootDatabase<string, string>, name: string): Database<string, string> =>
  root.openDB<string, string>({ name, encoding: 'string' });

/**
 * Opens a copy of the environment next to `file` with the entries that are live at the time of the call, and without
 * free pages or gaps within pages. Every copy has a unique name: the library identifies open files by the name under
 * which they were opened, even after a rename.
 */
export async function openCopy(file: string, { root, databases }: Environment): Promise<Environment> {
  copies += 1;
  const copy = `${file}${COPY}${process.pid}-${copies}`;
  await root.backup(copy, true);
  return openEnvironment(copy, databases.keys());
}

export async function flushFile(file: string): Promise<void> {
  const opened = await openFile(file, 'r+');
  await opened.sync().finally(() => opened.close());
}

/** Flushes the folder of a file, so that its names are durable. */
export function flushFolderOf(file: string): void {
  const folder = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes leftovers of copies: lock files, and copies that never became the file. */
export function removeCopies(file: string): void {
  const { dir, base } = path.parse(file);
  for (const name of readdirSync(dir)) {
    if (name.startsWith(base + COPY)) rmSync(path.join(dir, name), { force: true });
  }
}
