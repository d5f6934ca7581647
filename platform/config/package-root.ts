import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the package's folder: the nearest one above this file that holds a package.json. */
export function packageRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder)
      throw new Error('package.json not found above the program; the installation is broken');
    folder = parent;
  }
  return folder;
}

/**
 * Compiled file of a source module, for child processes: `compiledModule('platform/warehouse/child.ts')`. The same
 * whether the caller itself runs compiled or through a test runner's transform.
 */
export const compiledModule = (source: string): string => builtFile(source.replace(/\.ts$/, '.js'));

/** What a build has made, by its path in `dist`. */
export function builtFile(name: string): string {
  const file = path.join(packageRoot(), 'dist', name);
  if (!existsSync(file)) throw new Error(`${file} is missing; run "npm run build" first`);
  return file;
}
