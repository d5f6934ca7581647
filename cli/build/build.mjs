// `npm run bundle`: builds every part whose sources changed. Programs are bundled from TypeScript without type checks:
// `npm run check` does these.
import '../check-node.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { mark, stalePartsOf, unmark } from './parts.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** The builders are TypeScript too; `dist/builders/<part>/build.js` is as deep as where tsc would put them. */
async function bundleBuilders(parts) {
  const { build } = await import('rolldown');
  await build({
    cwd: root,
    platform: 'node',
    // A slow machine is no fault of the build.
    checks: { bundlerTimings: false },
    input: Object.fromEntries(parts.map(({ name, builder }) => [`${name}/build`, path.join(root, builder)])),
    external: (id) => !/^[./#]/.test(id),
    resolve: { conditionNames: ['cas-source', 'node', 'import', 'default'] },
    output: { dir: path.join(root, 'dist', 'builders'), format: 'esm' },
  });
}

async function buildPart(part) {
  unmark(root, part);
  const builder = path.join(root, 'dist', 'builders', part.name, 'build.js');
  const child = spawn(process.execPath, [builder], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code === 0) mark(root, part);
  else process.exitCode = 1;
}

const parts = stalePartsOf(root);
if (parts.length > 0) {
  await bundleBuilders(parts);
  await Promise.all(parts.map(buildPart));
}
