import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'rolldown';
import { BUNDLES, builtFile, PROGRAMS, packageRoot } from '#platform/config/package-root.ts';

/**
 * `npm run build`, second step: bundles each program with the modules that it loads into `dist/bundles`. Packages stay
 * where npm has put them.
 */

const isPackage = (id: string): boolean => !/^[./#]/.test(id);
const inputs = PROGRAMS.map((source) => source.replace(/\.ts$/, ''));

const bundles = path.join(packageRoot(), 'dist', BUNDLES);
// Next to the old folder first: a service that starts meanwhile reads whole files.
const fresh = `${bundles}.${process.pid}`;
await build({
  cwd: packageRoot(),
  platform: 'node',
  input: Object.fromEntries(inputs.map((name) => [name, builtFile(`${name}.js`)])),
  external: isPackage,
  output: { dir: fresh, format: 'esm', sourcemap: true, chunkFileNames: 'chunks/[name]-[hash].js' },
});
rmSync(bundles, { recursive: true, force: true });
renameSync(fresh, bundles);
