import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { eventually } from '../../../test/helpers/eventually.ts';
import { isRunning, killProcess, launch, memoryOf, type ProcessIdentity, stopProcess } from './processes.ts';

const SLEEPER = { file: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
const STUBBORN = {
  file: process.execPath,
  args: ['-e', "process.on('SIGTERM', () => {}); console.log('deaf'); setInterval(() => {}, 1000)"],
};

let folder: string;
let logFile: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cas-processes-'));
  logFile = path.join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const start = (program: typeof SLEEPER): Promise<ProcessIdentity> =>
  launch(program, { folder, logFile, outlivesParent: false });

/** A process that launches a sleeper, prints its identity, and waits. */
async function startParent(
  outlivesParent: boolean,
): Promise<{ parent: ChildProcess; server: ProcessIdentity }> {
  const script = `
    const { launch } = await import(${JSON.stringify(compiledModule('deploy/local/server/processes.ts'))});
    const server = await launch(${JSON.stringify(SLEEPER)}, ${JSON.stringify({ folder, logFile, outlivesParent })});
    process.stdout.write(JSON.stringify(server));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(parent.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
  return { parent, server: JSON.parse(said.toString()) as ProcessIdentity };
}

describe('a launched process', () => {
  test('runs until it is killed', async () => {
    const server = await start(SLEEPER);
    expect(isRunning(server)).toBe(true);
    // Between fork and exec a process briefly has almost no memory.
    await eventually('it has memory', 10_000, async () =>
      memoryOf(server.pid) > 1_000_000 ? true : undefined,
    );
    await killProcess(server);
    expect(isRunning(server)).toBe(false);
    expect(memoryOf(server.pid)).toBe(0);
  });

  test('is asked to exit before it is killed', async () => {
    const server = await start({
      file: process.execPath,
      args: [
        '-e',
        `process.on('SIGTERM', () => process.exit()); console.log('ready'); setInterval(() => {}, 1000)`,
      ],
    });
    await stopProcess(server, 60_000);
    expect(isRunning(server)).toBe(false);
  });

  test('is killed when it ignores the signal', async () => {
    const server = await start(STUBBORN);
    await stopProcess(server, 300);
    expect(isRunning(server)).toBe(false);
  });

  test('is not confused with a later process with the same id', async () => {
    const server = await start(SLEEPER);
    const other = { ...server, startedAt: 'long ago' };
    expect(isRunning(other)).toBe(false);
    await killProcess(other);
    expect(isRunning(server)).toBe(true);
    await killProcess(server);
  });

  test('fails when its program cannot be started', async () => {
    await expect(
      launch({ file: 'no-such-program', args: [] }, { folder, logFile, outlivesParent: true }),
    ).rejects.toThrow('ENOENT');
  });
});

describe('when the parent is killed', () => {
  test('a child that must not outlive it ends', async () => {
    const { parent, server } = await startParent(false);
    expect(isRunning(server)).toBe(true);
    parent.kill('SIGKILL');
    await eventually('the process ended', 20_000, async () => (isRunning(server) ? undefined : true));
  });

  test('a child that may outlive it continues', async () => {
    const { parent, server } = await startParent(true);
    parent.kill('SIGKILL');
    await once(parent, 'close');
    expect(isRunning(server)).toBe(true);
    await killProcess(server);
    expect(isRunning(server)).toBe(false);
  });
});
