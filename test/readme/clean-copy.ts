import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';

export interface CleanCopy {
  readonly folder: string;
  remove(): void;
}

/**
 * Copies the tracked files of this checkout to a temporary folder, like a fresh clone: nothing installed, nothing
 * built, no data. `installedIn`: an old copy whose installed packages are moved here. Downloads of the local stack are
 * shared with the checkout, because they are a cache.
 */
export function makeCleanCopy(installedIn?: string): CleanCopy {
  const root = packageRoot();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cas-readme-'));
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '' && existsSync(path.join(root, name))))
    cpSync(path.join(root, file), path.join(folder, file));
  const installed = path.join(installedIn ?? folder, 'node_modules');
  if (existsSync(installed)) renameSync(installed, path.join(folder, 'node_modules'));
  const downloads = path.join('.stack', 'servers');
  if (existsSync(path.join(root, downloads))) {
    mkdirSync(path.join(folder, '.stack'), { mode: 0o700 });
    symlinkSync(path.join(root, downloads), path.join(folder, downloads));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
