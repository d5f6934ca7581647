import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import Table from 'cli-table3';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { acquireDataLock } from '../../platform/event-log/lock.ts';
import { makeKeys } from './keys.ts';
import { readPartMemory } from './part-file.ts';
import { PART_NAMES, PART_SETTINGS, type PartName } from './part-names.ts';
import { PARTS } from './parts.ts';
import { isRunning, memoryOf, stopProcess } from './processes.ts';
import { ownStackFolder, type StackFolder } from './stack-folder.ts';
import { startStack } from './start-stack.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Addresses are shown to people without their passwords; `env` prints them in full. */
const withoutPassword = (address: string): string => address.replace(/:[^:@/]+@/, ':...@');

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const runningPart = (folder: StackFolder, name: PartName) => {
  const memory = readPartMemory(folder.part(name));
  return memory?.process && isRunning(memory.process) ? { memory, process: memory.process } : null;
};

/** One command at a time changes a stack. */
async function alone<Result>(folder: StackFolder, work: () => Promise<Result>): Promise<Result> {
  mkdirSync(folder.root, { recursive: true, mode: 0o700 });
  const lock = await acquireDataLock(folder.root).catch(() => {
    throw new Error(`another command is starting or stopping the stack in ${folder.root}; wait for it`);
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function start(folder: StackFolder): Promise<void> {
  const started = performance.now();
  const before = new Set(PART_NAMES.filter((name) => runningPart(folder, name) !== null));
  const waiting = PART_NAMES.filter((name) => !before.has(name));
  if (waiting.length > 0) print(`starting ${waiting.join(', ')} in ${folder.root}`);
  await startStack(folder, {
    outlivesParent: true,
    report: print,
    onUp: (part, tookMs) =>
      print(
        `${part.name.padEnd(10)} ${before.has(part.name) ? 'already running' : `up after ${seconds(tookMs)}`}, process ${part.pid}, ${withoutPassword(part.address)}`,
      ),
  });
  if (waiting.length > 0) print(`all parts answer after ${seconds(performance.now() - started)}`);
  print('Settings for a shell: eval "$(npm run --silent stack -- env)"');
}

async function stop(folder: StackFolder, deleteData: boolean): Promise<void> {
  const stopOne = async (name: PartName): Promise<void> => {
    const found = runningPart(folder, name);
    if (found === null) return print(`${name.padEnd(10)} not running`);
    const started = performance.now();
    await stopProcess(found.process, PARTS[name].stopLimitMs);
    print(`${name.padEnd(10)} stopped after ${seconds(performance.now() - started)}`);
  };
  await Promise.all(PART_NAMES.map(stopOne));
  if (!deleteData) return;
  // The downloads stay: they are no data.
  for (const entry of [...PART_NAMES.map(folder.part), folder.logs, folder.keys])
    rmSync(entry, { recursive: true, force: true });
  print(`data, logs and keys in ${folder.root} are deleted`);
}

async function status(folder: StackFolder): Promise<void> {
  const table = new Table({
    head: ['part', 'address', 'process', 'state', 'memory'],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  const rowOf = async (name: PartName): Promise<string[]> => {
    const found = runningPart(folder, name);
    const address = withoutPassword(readPartMemory(folder.part(name))?.address ?? '');
    if (found === null) return [name, address, '', 'down', ''];
    const state = await PARTS[name].ask(found.memory).then(
      () => 'up',
      () => 'does not answer',
    );
    const { pid } = found.process;
    return [name, address, String(pid), state, `${Math.round(memoryOf(pid) / 1024 / 1024)} MiB`];
  };
  const rows = await Promise.all(PART_NAMES.map(rowOf));
  table.push(...rows);
  print(table.toString());
  if (rows.some((row) => row[3] !== 'up')) process.exitCode = 1;
}

async function logs(
  folder: StackFolder,
  part: PartName | undefined,
  options: { lines: number; follow?: boolean },
): Promise<void> {
  const files = (part === undefined ? PART_NAMES : [part]).map(folder.log).filter((file) => existsSync(file));
  if (files.length === 0) throw new Error(`there are no logs in ${folder.logs}; start the stack first`);
  const tail = spawn(
    'tail',
    ['-n', String(options.lines), ...(options.follow === true ? ['-F'] : []), ...files],
    {
      stdio: 'inherit',
    },
  );
  await once(tail, 'close');
}

function env(folder: StackFolder): void {
  const addresses = PART_NAMES.map((name) => {
    const found = runningPart(folder, name);
    if (found === null)
      throw new Error(`${name} does not run; start the stack with "npm run stack -- start"`);
    return [PART_SETTINGS[name], found.memory.address] as const;
  });
  for (const [name, value] of [...addresses, ...Object.entries(makeKeys(folder.keys))])
    print(`export ${name}='${value.replaceAll("'", "'\\''")}'`);
}

const wholeNumber = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
};

const program = new Command('stack')
  .description('Kafka, a schema registry, Redis and ClickHouse on this machine, without a container engine')
  .showHelpAfterError();
program
  .command('start')
  .description(
    'start what does not run and wait until it answers; the first time downloads Kafka and the registry',
  )
  .option('--containers', 'use containers instead, until Ctrl-C; needs a Docker engine')
  .action(async (options: { containers?: boolean }) => {
    const folder = ownStackFolder();
    if (options.containers !== true) return alone(folder, () => start(folder));
    const { holdContainers } = await import('./containers.ts');
    await holdContainers(makeKeys(folder.keys), print);
  });
program
  .command('stop')
  .description('stop all parts; their data stay')
  .option('--delete-data', 'delete data, logs and keys too')
  .action(async (options: { deleteData?: boolean }) => {
    const folder = ownStackFolder();
    await alone(folder, () => stop(folder, options.deleteData === true));
  });
program
  .command('status')
  .description('show the parts; exit code 1 when one does not answer')
  .action(() => status(ownStackFolder()));
program
  .command('logs')
  .description('show the end of the logs')
  .addArgument(new Argument('[part]', 'only this one').choices(PART_NAMES))
  .option('-n, --lines <count>', 'how many lines of each', wholeNumber, 40)
  .option('-f, --follow', 'go on with what is written')
  .action((part: PartName | undefined, options: { lines: number; follow?: boolean }) =>
    logs(ownStackFolder(), part, options),
  );
program
  .command('env')
  .description('print the settings that name the parts, for eval in a shell; they hold passwords')
  .action(() => env(ownStackFolder()));

try {
  await program.parseAsync();
} catch (error) {
  const expected = error instanceof Error && error.name !== 'TypeError';
  process.stderr.write(`stack: ${expected ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
}
