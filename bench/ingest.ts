import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { print, printTable } from '../cli/output.ts';
import { dataFolder } from '../platform/runtime/data-folder.ts';
import { compiledModule } from '../platform/runtime/package-root.ts';
import { closedLoop, type LoadResult, openLoop, quantile } from './load/open-loop.ts';
import { processUsage, usageBetween } from './load/process-usage.ts';
import { makeTarget, type Target, tripletShot, untilVisible } from './load/triplets.ts';

/** `npm run bench:ingest [-- seconds]`: ingest over HTTP with everything running on this machine, in one run. */
const SECONDS = Number(process.argv[2] ?? 15);
const CUSTOMERS = 24;
const RATES = [500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_500, 3_000, 4_000, 5_000];
/** A rate is held when no request failed and the 99th percentile stays below this. */
const HELD_P99_MS = 250;
const SAMPLE_EVERY = 50;

interface Running {
  readonly child: ChildProcess;
  readonly target: Target;
}

async function start(dataDir: string): Promise<Running> {
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'start', '--quiet'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
  });
  const [message] = (await once(child, 'message')) as [{ ready: string }];
  const secret = readFileSync(dataFolder(dataDir).internalSecret, 'utf8').trim();
  return { child, target: await makeTarget(message.ready, secret, CUSTOMERS) };
}

/** Open-loop run; every 50th audit is followed until its signal is stored. */
async function run(
  service: Running,
  rate: number,
): Promise<{ load: LoadResult; visibleMs: number[]; usage: string[] }> {
  const visible: Promise<number>[] = [];
  const { child, target } = service;
  const before = processUsage(child.pid ?? 0);
  const load = await openLoop(
    target.url,
    rate,
    SECONDS,
    (number) => tripletShot(target, number),
    (number, body, answeredAt) => {
      if (number % SAMPLE_EVERY === 0) visible.push(untilVisible(target, number, body, answeredAt));
    },
  );
  const usage = usageBetween(before, processUsage(child.pid ?? 0), SECONDS);
  const visibleMs = (await Promise.all(visible)).toSorted((a, b) => a - b);
  return { load, visibleMs, usage };
}

const row = (name: string, load: LoadResult, visibleMs: readonly number[]): string[] => [
  name,
  load.perSecond.toFixed(0),
  load.p50Ms.toFixed(1),
  load.p99Ms.toFixed(1),
  String([...load.errors.values()].reduce((sum, count) => sum + count, 0)),
  visibleMs.length === 0 ? '' : quantile(visibleMs, 0.5).toFixed(0),
  visibleMs.length === 0 ? '' : quantile(visibleMs, 0.95).toFixed(0),
];

async function bareFastify(target: Target): Promise<LoadResult> {
  const child = fork(compiledModule('bench/load/bare-fastify.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [address] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const result = await closedLoop(address.toString().trim(), 64, SECONDS, (number) =>
    tripletShot(target, number),
  );
  child.kill('SIGTERM');
  await once(child, 'exit');
  return result;
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cas-bench-'));
const service = await start(dataDir);
try {
  print('warming up ...');
  await openLoop(service.target.url, 300, 8, (number) => tripletShot(service.target, number));
  const rows: string[][] = [];
  const usages: string[] = [];
  for (const rate of RATES) {
    print(`open loop, ${rate}/s for ${SECONDS} s ...`);
    const { load, visibleMs, usage } = await run(service, rate);
    rows.push(row(`${rate}/s`, load, visibleMs));
    usages.push(`${rate}/s: ${usage.join('; ')}`);
    if (load.errors.size > 0 || load.p99Ms > HELD_P99_MS) {
      print(`${rate}/s was not held (${JSON.stringify(Object.fromEntries(load.errors))})`);
      break;
    }
  }
  print('closed loop, 64 connections ...');
  const most = await closedLoop(service.target.url, 64, SECONDS, (number) =>
    tripletShot(service.target, number),
  );
  const bare = await bareFastify(service.target);
  rows.push(row('closed loop, 64', most, []), row('bare Fastify, closed loop, 64', bare, []));
  printTable(['load', '202s per s', 'p50 ms', 'p99 ms', 'errors', 'visible p50 ms', 'visible p95 ms'], rows);
  print(`ratio to bare Fastify: ${(most.perSecond / bare.perSecond).toFixed(2)}`);
  for (const line of usages) print(line);
} finally {
  service.child.kill('SIGTERM');
  await once(service.child, 'exit');
  rmSync(dataDir, { recursive: true, force: true });
}
