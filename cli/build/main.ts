import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'rolldown';
import { BUNDLES, PROGRAMS, packageRoot } from '#platform/config/package-root.ts';

/**
 * A step of `npm run bundle`: bundles each program with its modules into `dist/bundles`, from the TypeScript sources.
 * Packages stay where npm put them.
 */

const isPackage = (id: string): boolean => !/^[./#]/.test(id);
const root = packageRoot();
const inputs = PROGRAMS.map((source) => [source.replace(/\.ts$/, ''), path.join(root, source)]);

const bundles = path.join(root, 'dist', BUNDLES);
// Written next to the old folder first, so that a service that starts meanwhile reads complete files.
const fresh = `${bundles}.${process.pid}`;
await build({
  cwd: root,
  platform: 'node',
  // A slow machine is no fault of the build.
  checks: { bundlerTimings: false },
  input: Object.fromEntries(inputs),
  external: isPackage,
  resolve: { conditionNames: ['cas-source', 'node', 'import', 'default'] },
  transform: { target: 'es2023' },
  output: { dir: fresh, format: 'esm', sourcemap: true, chunkFileNames: 'chunks/[name]-[hash].js' },
});
rmSync(bundles, { recursive: true, force: true });
renameSync(fresh, bundles);
