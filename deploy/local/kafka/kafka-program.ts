import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '#platform/config/package-root.ts';
import { type Download, downloadFolder, provideDownload } from '../server/downloads.ts';
import type { Program } from '../server/processes.ts';
import { requireJava } from '../server/tools.ts';

/** The version is repeated in kafka/pom.xml. */
const KAFKA: Download = {
  name: 'kafka',
  version: '4.3.1',
  goal: 'copy-dependencies',
  size: '44 MB',
};

export async function provideKafka(report: (line: string) => void): Promise<void> {
  requireJava(`Kafka ${KAFKA.version}`);
  await provideDownload(KAFKA, report);
}

const java = (main: string, args: readonly string[]): string[] => [
  '-Xms64m',
  '-Xmx384m',
  // Halves the CPU time of a start; the lost peak speed is far above the load of one machine.
  '-XX:TieredStopAtLevel=1',
  '-XX:ActiveProcessorCount=2',
  `-Dlog4j2.configurationFile=${path.join(packageRoot(), 'deploy/local/kafka/log4j2.properties')}`,
  '-cp',
  path.join(downloadFolder(KAFKA), '*'),
  main,
  ...args,
];

export const dataOf = (folder: string): string => path.join(folder, 'data');
const configurationOf = (folder: string): string => path.join(folder, 'server.properties');

export const brokerProgram = (folder: string): Program => ({
  file: 'java',
  args: java('kafka.Kafka', [configurationOf(folder)]),
});

/** Format of a new broker's storage. */
interface Format {
  readonly clusterId: string;
  /** Arguments of the format command that the process list must not show, one per line. */
  readonly secretArguments?: readonly string[];
}

/** Writes a broker's configuration and, the first time, its empty storage. */
export async function prepareBroker(
  folder: string,
  configuration: Readonly<Record<string, string>>,
  { clusterId, secretArguments = [] }: Format,
): Promise<void> {
  const lines = Object.entries(configuration).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(configurationOf(folder), lines.join(''), { mode: 0o600 });
  const mark = path.join(folder, 'formatted');
  if (existsSync(mark)) return;
  // An aborted format is repeated: the broker has no data yet.
  rmSync(dataOf(folder), { recursive: true, force: true });
  // One argument, because an id may begin with a hyphen.
  const args = ['format', `--cluster-id=${clusterId}`, '--config', configurationOf(folder)];
  const secrets = path.join(folder, 'format-arguments');
  if (secretArguments.length > 0) {
    writeFileSync(secrets, secretArguments.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    args.push(`@${secrets}`);
  }
  try {
    await promisify(execFile)('java', java('kafka.tools.StorageTool', args));
  } finally {
    rmSync(secrets, { force: true });
  }
  writeFileSync(mark, '');
}
