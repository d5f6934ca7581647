import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { mapConcurrent } from '#platform/flow/map-concurrent.ts';

/** A test outside every suite, or in a suite that the build does not run, never fails. */

const root = packageRoot();
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
const DEFAULT = 'jest.config.json';
/** The configuration of each script that runs a suite. */
const SUITES = new Map(
  Object.entries(scripts).flatMap(([script, command]) => {
    const config = /run --silent jest --(?:.* --config (\S+))?/.exec(command);
    return config === null ? [] : [[script, config[1] ?? DEFAULT] as const];
  }),
);

describe('the suites', () => {
  let listed: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    const lists = await mapConcurrent([...SUITES.values()], 2, async (config) => {
      const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
      const args = ['--experimental-vm-modules', jest, '--config', config, '--listTests', '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
      return [config, JSON.parse(stdout) as string[]] as const;
    });
    listed = new Map(lists);
  });

  test('are exactly the jest configurations', () => {
    const configs = readdirSync(path.join(root, 'test/suites')).map((name) => `test/suites/${name}`);
    expect([...SUITES.values()].sort()).toEqual([DEFAULT, ...configs].sort());
  });

  test.each([...SUITES.keys()])('%s is run by the build', (script) => {
    const build = readFileSync(path.join(root, '.ci', 'run'), 'utf8');
    expect(build).toMatch(new RegExp(`^jest (\\w+|'[^']+') ${script}$`, 'm'));
  });

  test('contain every test file exactly once', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !/(^|\/)(node_modules|dist|data|\.\w+)\//.test(file))
      .map((file) => path.join(root, file));
    expect(files.length).toBeGreaterThan(500);
    expect([...listed.values()].flat().sort()).toEqual(files.sort());
  });
});
