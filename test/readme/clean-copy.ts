import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packageRoot } from '../../platform/runtime/package-root.ts';

export interface CleanCopy {
  readonly folder: string;
  remove(): void;
}

/**
 * The tracked files of this checkout in a temporary folder, as a fresh clone has them: nothing installed, nothing
 * built, no data. Downloads of the local stack are shared with the checkout where it has them: they are a cache.
 */
export function makeCleanCopy(): CleanCopy {
  const root = packageRoot();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cas-readme-'));
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '' && existsSync(path.join(root, name))))
    cpSync(path.join(root, file), path.join(folder, file));
  const downloads = path.join('.stack', 'parts');
  if (existsSync(path.join(root, downloads))) {
    mkdirSync(path.join(folder, '.stack'), { mode: 0o700 });
    symlinkSync(path.join(root, downloads), path.join(folder, downloads));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
