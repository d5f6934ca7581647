import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the package's folder: the nearest one above this file that holds a package.json. */
export function packageRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder)
      throw new Error('package.json not found in any parent folder of the program; reinstall the service');
    folder = parent;
  }
  return folder;
}

/**
 * Programs of the service, by their source. The build bundles each, because a thousand small files take a second to
 * load.
 */
export const PROGRAMS = [
  'cli/main.ts',
  'app/pipeline-worker.ts',
  'platform/warehouse/embedded/server.ts',
  'services/api/evidence/correlations/search-thread.ts',
  'services/api/evidence/chain/pass-thread.ts',
  'detection/detection-thread.ts',
] as const;

/** Folder of the bundled programs in `dist`. */
export const BUNDLES = 'bundles';

/**
 * Compiled file of a source module, for processes and threads: `compiledModule('cli/main.ts')`. For a program, its
 * bundle. The result is the same whether the caller runs compiled or through a test runner's transform.
 */
export function compiledModule(source: string): string {
  const name = source.replace(/\.ts$/, '.js');
  return builtFile((PROGRAMS as readonly string[]).includes(source) ? `${BUNDLES}/${name}` : name);
}

/** A build output, by its path in `dist`. */
export function builtFile(name: string): string {
  const file = path.join(packageRoot(), 'dist', name);
  if (!existsSync(file)) throw new Error(`${file} is missing; run "npm run build" first`);
  return file;
}
