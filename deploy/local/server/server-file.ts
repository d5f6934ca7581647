import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProcessIdentity } from './processes.ts';

/** State of a server kept across restarts, in `server.json` (mode 0600, because it contains the password). */
export interface ServerMemory {
  readonly name: string;
  readonly address: string;
  /** The first one is the server's address; the others are internal. */
  readonly ports: readonly number[];
  readonly password: string;
  /** The last started process; it may have exited. */
  readonly process: ProcessIdentity | null;
}

const fileOf = (folder: string): string => path.join(folder, 'server.json');

/** Null when no server was ever started in the folder. */
export function readServerMemory(folder: string): ServerMemory | null {
  if (!existsSync(fileOf(folder))) return null;
  return JSON.parse(readFileSync(fileOf(folder), 'utf8')) as ServerMemory;
}

export function writeServerMemory(folder: string, memory: ServerMemory): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${fileOf(folder)}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, fileOf(folder));
}

export const newPassword = (): string => randomBytes(24).toString('base64url');
