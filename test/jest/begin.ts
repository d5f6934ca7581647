import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';
import setUpInMemory from '../in-memory/begin.ts';

/** Tests run as compiled: output that is older than its source is rejected. */
export default function setUp(): void {
  if (!process.env.CAS_BUILT) refuseOldBuild();
  setUpInMemory();
}

function refuseOldBuild(): void {
  const root = packageRoot();
  const builtMs = statSync(path.join(root, 'dist/.tests-built'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const { include } = JSON.parse(readFileSync(path.join(root, 'tsconfig.tests.json'), 'utf8')) as {
    include: readonly string[];
  };
  for (const folder of include)
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })) {
      if (!entry.isFile() || !/\.(tsx?|json)$/.test(entry.name)) continue;
      const file = path.join(entry.parentPath, entry.name);
      if (statSync(file).mtimeMs > builtMs)
        throw new Error(
          `${path.relative(root, file)} has changed since the tests were compiled: run "npm run build:test" or "npm test"`,
        );
    }
}
