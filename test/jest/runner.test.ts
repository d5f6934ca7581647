import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';

/** What the build reads of a run: `cases` has a test file for every way a test file can fail. */

interface Suite {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

const root = packageRoot();
const CASES = 'test/jest/cases';
let run: Readonly<Record<string, number>> & { readonly testResults: readonly Suite[] };

const suite = (name: string): Suite =>
  run.testResults.find((one) => one.name === path.join(root, CASES, `${name}.case.ts`))!;
const statuses = (name: string): object =>
  Object.fromEntries(suite(name).assertionResults.map(({ fullName, status }) => [fullName, status]));
const messageOf = (name: string, fullName: string): string =>
  suite(name)
    .assertionResults.find((one) => one.fullName === fullName)!
    .failureMessages.join('\n');

beforeAll(async () => {
  const config = JSON.parse(readFileSync(path.join(root, 'jest.config.json'), 'utf8'));
  const { globalSetup: _, globalTeardown: __, ...rest } = config;
  const ours = { ...rest, rootDir: root, testMatch: [`<rootDir>/${CASES}/*.case.ts`], testTimeout: 1_000 };
  const args = [
    'node_modules/jest/bin/jest.js',
    '--json',
    '--maxWorkers=1',
    '--config',
    JSON.stringify(ours),
  ];
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: root }, (_, stdout) => resolve(stdout));
  });
  run = JSON.parse(printed);
}, 60_000);

test('counts every test', () => {
  expect(run).toMatchObject({
    success: false,
    numTotalTestSuites: 6,
    numFailedTestSuites: 4,
    numRuntimeErrorTestSuites: 3,
    numPassedTests: 6,
    numFailedTests: 6,
    numPendingTests: 1,
  });
});

test('reports where tests failed, and which were skipped', () => {
  expect(statuses('fails')).toEqual({
    'a block passes': 'passed',
    'a block fails': 'failed',
    'a block of each fails at 2: 1': 'passed',
    'a block of each fails at 2: 2': 'failed',
    'a block is skipped': 'pending',
    'a block rejects unseen': 'failed',
  });
  expect(messageOf('fails', 'a block fails')).toMatch(
    /"answer": 42[\s\S]*\(.*test\/jest\/cases\/fails\.case\.ts:5:\d+\)/,
  );
  expect(messageOf('fails', 'a block rejects unseen')).toContain('nobody listens');
});

test('fails a hanging test by name at its timeout and runs the others', () => {
  expect(statuses('hangs')).toEqual({
    'never ends': 'failed',
    'has a limit of its own': 'failed',
    'never ends for each': 'failed',
    'goes on after that': 'passed',
    'a block has a hook that never ends': 'passed',
  });
  expect(messageOf('hangs', 'never ends')).toContain('timeout of 1000 ms');
  expect(messageOf('hangs', 'has a limit of its own')).toContain('timeout of 100 ms');
  expect(suite('hangs').message).toContain('timeout of 100 ms for a hook');
});

test('fails a file that throws on import and one that ends its process', () => {
  expect(suite('throws')).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/thrown while it was imported[\s\S]*throws\.case\.ts:4/),
  });
  expect(suite('crashes')).toMatchObject({ status: 'failed', message: expect.stringContaining('SIGKILL') });
});

test('leaves nothing from one file for the next file of the same worker', () => {
  for (const name of ['leaks-1', 'leaks-2']) expect(statuses(name)).toEqual({ 'finds no traces': 'passed' });
});
