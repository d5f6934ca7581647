import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';
import { type Mutant, matchesOf } from './mutant.ts';

const CASES = 'test/simulation/mutants/cases';
/** All sources of the simulation. */
const SOURCES = [
  'schemas',
  'core',
  'platform',
  'records',
  'detection',
  'services',
  'test/programs',
  'test/simulation',
  'package.json',
];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.simulation.json'];
const BUDGET_SECONDS = 120;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Injects each mutant (or the named ones) into a copy of the sources, builds it and runs the simulation on it. A mutant
 * that is not found within the budget, or no longer applies, is a failure. Returns the exit code.
 */
export async function runMutants(names: readonly string[]): Promise<number> {
  const root = packageRoot();
  const files = (await readdir(path.join(root, CASES))).map((file) => file.replace(/\.ts$/, '')).sort();
  const unknown = names.filter((name) => !files.includes(name));
  if (unknown.length > 0) throw new Error(`no mutant is called ${unknown.join(', ')}`);
  let [passed, failed] = [0, 0];
  for (const name of names.length > 0 ? names : files) {
    const { mutant } = (await import(`./cases/${name}.js`)) as { mutant: Mutant };
    print(`== ${name}: ${mutant.title}`);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'mutant-'));
    try {
      const found = await runMutant(root, folder, mutant);
      print(found.isFound ? `   found: ${found.how}` : `   NOT FOUND: ${found.how}`);
      if (found.isFound) passed += 1;
      else failed += 1;
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function runMutant(
  root: string,
  folder: string,
  mutant: Mutant,
): Promise<{ readonly isFound: boolean; readonly how: string }> {
  for (const name of [...SOURCES, ...SETTINGS])
    await cp(path.join(root, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  for (const { file, find, replace } of mutant.changes) {
    const text = await readFile(path.join(folder, file), 'utf8');
    const times = matchesOf(text, find);
    if (times !== 1) return { isFound: false, how: `it fits ${file} at ${times} places instead of one` };
    await writeFile(
      path.join(folder, file),
      text.replace(find, () => replace),
    );
  }
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const lax = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
  const built = await run(folder, [tsc, '-p', 'tsconfig.simulation.json', ...lax]);
  if (built.code !== 0)
    return { isFound: false, how: `it does not compile: ${built.output.slice(0, 1_000)}` };
  const main = path.join(folder, 'dist/test/simulation/main.js');
  const seconds = String(BUDGET_SECONDS);
  const result = await run(folder, [main, '--keep-going', '--seconds', seconds, '--until', mutant.breaks]);
  const how = result.output.split('\n').find((line) => line.startsWith('found after'));
  return { isFound: how !== undefined, how: how ?? `${result.output.trim().split('\n').at(-1)}` };
}

function run(cwd: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject).once('close', (code) => resolve({ code, output }));
  });
}
