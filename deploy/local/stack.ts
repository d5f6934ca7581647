import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import Table from 'cli-table3';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { makePrivateFolder } from '#platform/data-folder/private-folder.ts';
import { acquireDataLock } from '#platform/event-log/lmdb/lock.ts';
import { clusterEntries, type KafkaShape } from './kafka/kafka-cluster.ts';
import { makeKeys } from './keys.ts';
import { isRunning, memoryOf, stopProcess } from './server/processes.ts';
import { readServerMemory } from './server/server-file.ts';
import { SERVER_NAMES, SERVER_SETTINGS, type ServerName } from './server-names.ts';
import { ownStackFolder, type StackFolder } from './stack-folder.ts';
import { furtherSettings, type StackMember, shapeStack, stackMembers } from './stack-members.ts';
import { startStack } from './start-stack.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Addresses are shown without passwords; `env` prints them in full. */
const withoutPassword = (address: string): string => address.replace(/:[^:@/]+@/, ':...@');

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const runningServer = (folder: StackFolder, { name }: StackMember) => {
  const memory = readServerMemory(folder.server(name));
  return memory?.process && isRunning(memory.process) ? { memory, process: memory.process } : null;
};

/** Only one command at a time changes a stack. */
async function alone<Result>(folder: StackFolder, work: () => Promise<Result>): Promise<Result> {
  makePrivateFolder(folder.root);
  const lock = await acquireDataLock(folder.root).catch(() => {
    throw new Error(`another command is starting or stopping the stack in ${folder.root}; wait for it`);
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function start(folder: StackFolder, kafka: KafkaShape | undefined): Promise<void> {
  const started = performance.now();
  if (kafka !== undefined) await shapeStack(folder, kafka);
  const members = stackMembers(folder);
  const before = new Set(
    members.filter((one) => runningServer(folder, one) !== null).map(({ name }) => name),
  );
  const waiting = members.map(({ name }) => name).filter((name) => !before.has(name));
  if (waiting.length > 0) print(`starting ${waiting.join(', ')} in ${folder.root}`);
  await startStack(folder, {
    outlivesParent: true,
    report: print,
    onUp: (server, tookMs) =>
      print(
        `${server.name.padEnd(10)} ${before.has(server.name) ? 'already running' : `up after ${seconds(tookMs)}`}, process ${server.pid}, ${withoutPassword(server.address)}`,
      ),
  });
  if (waiting.length > 0) print(`all servers answer after ${seconds(performance.now() - started)}`);
  print('Settings for a shell: eval "$(npm run --silent stack -- env)"');
}

async function stop(folder: StackFolder, deleteData: boolean): Promise<void> {
  const members = stackMembers(folder);
  const stopOne = async (member: StackMember): Promise<void> => {
    const { name, kind } = member;
    const found = runningServer(folder, member);
    if (found === null) return print(`${name.padEnd(10)} not running`);
    const started = performance.now();
    await stopProcess(found.process, kind.stopLimitMs);
    print(`${name.padEnd(10)} stopped after ${seconds(performance.now() - started)}`);
  };
  await Promise.all(members.map(stopOne));
  if (!deleteData) return;
  // Downloads are kept: they are not data.
  const folders = members.map(({ name }) => folder.server(name));
  for (const entry of [...folders, ...clusterEntries(folder.root), folder.logs, folder.keys])
    rmSync(entry, { recursive: true, force: true });
  print(`data, logs and keys in ${folder.root} are deleted`);
}

async function status(folder: StackFolder): Promise<void> {
  const table = new Table({
    head: ['server', 'address', 'process', 'state', 'memory'],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  const rowOf = async (member: StackMember): Promise<string[]> => {
    const { name, kind } = member;
    const found = runningServer(folder, member);
    const address = withoutPassword(readServerMemory(folder.server(name))?.address ?? '');
    if (found === null) return [name, address, '', 'down', ''];
    const state = await kind.ask(found.memory).then(
      () => 'up',
      () => 'does not answer',
    );
    const { pid } = found.process;
    return [name, address, String(pid), state, `${Math.round(memoryOf(pid) / 1024 / 1024)} MiB`];
  };
  const rows = await Promise.all(stackMembers(folder).map(rowOf));
  table.push(...rows);
  print(table.toString());
  if (rows.some((row) => row[3] !== 'up')) process.exitCode = 1;
}

async function logs(
  folder: StackFolder,
  server: ServerName | undefined,
  options: { lines: number; follow?: boolean },
): Promise<void> {
  const files = stackMembers(folder)
    .filter((member) => server === undefined || member.server === server)
    .map(({ name }) => folder.log(name))
    .filter((file) => existsSync(file));
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
  const addresses = stackMembers(folder).map((member) => {
    const found = runningServer(folder, member);
    if (found === null)
      throw new Error(`${member.name} does not run; start the stack with "npm run stack -- start"`);
    return [SERVER_SETTINGS[member.server], found.memory.address] as const;
  });
  const settings = {
    ...Object.fromEntries(addresses),
    ...furtherSettings(folder),
    ...makeKeys(folder.keys),
  };
  for (const [name, value] of Object.entries(settings))
    print(`export ${name}='${value.replaceAll("'", "'\\''")}'`);
}

interface StartOptions {
  readonly containers?: true;
  readonly brokers?: '1' | '3';
  readonly tls?: true;
}

/** Undefined without a flag: the stack keeps its shape. */
function kafkaOf({ brokers, tls }: StartOptions): KafkaShape | undefined {
  if (brokers === undefined && tls === undefined) return undefined;
  return { brokers: brokers === '3' ? 3 : 1, tls: tls === true };
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
  .addOption(
    new Option('--brokers <count>', 'of Kafka, for as long as the stack has data; without it as before, or 1')
      .choices(['1', '3'])
      .conflicts('containers'),
  )
  .addOption(new Option('--tls', 'Kafka speaks TLS and asks for a password (SCRAM)').conflicts('containers'))
  .action(async (options: StartOptions) => {
    const folder = ownStackFolder();
    if (options.containers !== true) return alone(folder, () => start(folder, kafkaOf(options)));
    const { runContainers: holdContainers } = await import('./containers.ts');
    await holdContainers(makeKeys(folder.keys), print);
  });
program
  .command('stop')
  .description('stop all servers; their data stay')
  .option('--delete-data', 'delete data, logs and keys too')
  .action(async (options: { deleteData?: boolean }) => {
    const folder = ownStackFolder();
    await alone(folder, () => stop(folder, options.deleteData === true));
  });
program
  .command('status')
  .description('show the servers; exit code 1 when one does not answer')
  .action(() => status(ownStackFolder()));
program
  .command('logs')
  .description('show the end of the logs')
  .addArgument(new Argument('[server]', 'only this one').choices(SERVER_NAMES))
  .option('-n, --lines <count>', 'how many lines of each', wholeNumber, 40)
  .option('-f, --follow', 'keep printing new lines')
  .action((server: ServerName | undefined, options: { lines: number; follow?: boolean }) =>
    logs(ownStackFolder(), server, options),
  );
program
  .command('env')
  .description('print the settings that name the servers, for eval in a shell; they hold passwords')
  .action(() => env(ownStackFolder()));

try {
  await program.parseAsync();
} catch (error) {
  const expected = error instanceof Error && error.name !== 'TypeError';
  process.stderr.write(`stack: ${expected ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
}
