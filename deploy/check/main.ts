import { readdirSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';
import { CHART, chartFaults } from './chart.ts';
import { composeFaults, readCompose } from './compose.ts';
import { type Extensions, readExtensions } from './extensions.ts';
import { goTool, KEDA, moduleFolder, PROMETHEUS_OPERATOR, pythonTool, run } from './tools.ts';

/**
 * Checks deployment files that cannot run without a container engine: compose files, the Dockerfile, the chart (`npm
 * run check:deploy`). Needs Go and Python 3. Checks of a missing tool are skipped, which is a failure when CI=true.
 */
const COMPOSE = ['docker-compose.yml', 'deploy/compose.production.yml', 'deploy/compose.bucket.yml'];

let failed = 0;
let skipped = 0;

function check(name: string, faultsOf: () => readonly string[]): void {
  let faults: readonly string[];
  try {
    faults = faultsOf();
  } catch (error) {
    faults = [(error as Error).message];
  }
  if (faults.length > 0) failed += 1;
  process.stdout.write(`${faults.length === 0 ? 'ok     ' : 'FAILED '} ${name}\n`);
  for (const fault of faults) process.stdout.write(`${fault}\n`);
}

/** Runs checks that need tools; skips them when `install` rejects. */
function withTools<T>(name: string, install: () => T, checks: (tools: T) => void): void {
  let tools: T;
  try {
    tools = install();
  } catch (error) {
    skipped += 1;
    process.stdout.write(`SKIPPED ${name}: ${(error as Error).message}\n`);
    return;
  }
  checks(tools);
}

withTools(
  'compose files',
  () => goTool('cmd'),
  () => {
    for (let count = 1; count <= COMPOSE.length; count += 1) {
      const files = COMPOSE.slice(0, count);
      check(files.join(' with '), () => composeFaults(readCompose(files)));
    }
  },
);
const chartTools = (): Extensions => {
  goTool('helm');
  pythonTool('kubernetes-validate');
  return readExtensions(moduleFolder(KEDA), moduleFolder(PROMETHEUS_OPERATOR));
};
withTools('chart', chartTools, (extensions) => {
  for (const file of readdirSync(path.join(packageRoot(), CHART, 'ci')))
    check(`chart with ci/${file}`, () => chartFaults(`${CHART}/ci/${file}`, extensions));
});
withTools(
  'deploy/Dockerfile',
  () => pythonTool('hadolint'),
  (hadolint) =>
    check('deploy/Dockerfile', () => run(hadolint, ['deploy/Dockerfile']).split('\n').filter(Boolean)),
);

if (skipped > 0 && process.env.CI === 'true') {
  process.stdout.write('Skipped checks prove nothing: a failure, because CI=true.\n');
  failed += skipped;
}
process.exitCode = failed === 0 ? 0 : 1;
