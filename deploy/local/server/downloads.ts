import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';
import { isAlive } from './processes.ts';
import { requireMaven } from './tools.ts';

/** A server that comes from Maven Central. */
export interface Download {
  readonly name: 'kafka' | 'registry' | 's3proxy';
  readonly version: string;
  readonly goal: 'copy-dependencies' | 'unpack-dependencies';
  readonly size: string;
}

const REPORT_EVERY_MS = 10_000;
/** Two concurrent Mavens may corrupt each other's cache. */
let last: Promise<unknown> = Promise.resolve();

const serversFolder = (): string => path.join(packageRoot(), '.stack', 'servers');

/** Folder of the downloaded server. */
export const downloadFolder = ({ name, version }: Download): string =>
  path.join(serversFolder(), `${name}-${version}`);

/** Downloads a server unless it is present. An aborted download only leaves a draft, which the next one removes. */
export function provideDownload(download: Download, report: (line: string) => void): Promise<void> {
  const turn = last.then(() => fetchOnce(download, report));
  last = turn.catch(() => {});
  return turn;
}

async function fetchOnce(download: Download, report: (line: string) => void): Promise<void> {
  const folder = downloadFolder(download);
  if (existsSync(folder)) return;
  const title = `${download.name} ${download.version}`;
  requireMaven(title);
  removeOldDrafts(path.basename(folder));
  const draft = `${folder}.draft-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const started = Date.now();
  const seconds = (): number => Math.round((Date.now() - started) / 1000);
  report(`${title}: downloading ${download.size} with Maven (once)`);
  const timer = setInterval(() => report(`${title}: still downloading, ${seconds()} s`), REPORT_EVERY_MS);
  try {
    await runMaven(download, draft);
    publish(draft, folder);
  } finally {
    clearInterval(timer);
    rmSync(draft, { recursive: true, force: true });
  }
  report(`${title}: downloaded in ${seconds()} s`);
}

async function runMaven(download: Download, draft: string): Promise<void> {
  const pom = path.join(packageRoot(), 'deploy/local', download.name, 'pom.xml');
  const child = spawn(
    'mvn',
    [
      ...['--quiet', '--batch-mode', '--strict-checksums', '--file', pom],
      `dependency:${download.goal}`,
      '-DincludeScope=runtime',
      `-DoutputDirectory=${draft}`,
      `-DmarkersDirectory=${path.join(draft, '.markers')}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  throw new Error(
    `Maven could not download ${download.name} ${download.version} (exit ${code}). It needs the network, or a mirror in ~/.m2/settings.xml. It said:\n${output.slice(0, 2_000)}`,
  );
}

/** A name without "draft" marks a complete download. If another process was faster, its download is the same. */
function publish(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function removeOldDrafts(name: string): void {
  if (!existsSync(serversFolder())) return;
  for (const entry of readdirSync(serversFolder())) {
    const owner = entry.startsWith(`${name}.draft-`) ? Number(entry.split('-').at(-1)) : null;
    if (owner !== null && !isAlive(owner)) rmSync(path.join(serversFolder(), entry), { recursive: true });
  }
}
