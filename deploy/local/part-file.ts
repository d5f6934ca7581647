import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProcessIdentity } from './processes.ts';

/** What a part's folder remembers about it over restarts, in `part.json` (mode 0600: it holds the password). */
export interface PartMemory {
  readonly name: string;
  readonly address: string;
  /** The first one is the part's address; others are its own business. */
  readonly ports: readonly number[];
  readonly password: string;
  /** The one that was started last; it may be gone. */
  readonly process: ProcessIdentity | null;
}

const fileOf = (folder: string): string => path.join(folder, 'part.json');

/** Null when no part was ever started in the folder. */
export function readPartMemory(folder: string): PartMemory | null {
  if (!existsSync(fileOf(folder))) return null;
  return JSON.parse(readFileSync(fileOf(folder), 'utf8')) as PartMemory;
}

export function writePartMemory(folder: string, memory: PartMemory): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${fileOf(folder)}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, fileOf(folder));
}

export const newPassword = (): string => randomBytes(24).toString('base64url');
