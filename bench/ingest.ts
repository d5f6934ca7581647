import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createClient } from '../cli/client.ts';
import { print, printTable } from '../cli/output.ts';
import { dataFolder } from '../platform/runtime/data-folder.ts';
import { compiledModule } from '../platform/runtime/package-root.ts';
import { closedLoop, type LoadResult, openLoop, quantile, type Shot } from './load/open-loop.ts';
import { processUsage, type Usage } from './load/process-usage.ts';

/** `npm run bench:ingest [-- seconds]`: ingest over HTTP with everything running on this machine, in one run. */
const SECONDS = Number(process.argv[2] ?? 15);
const CUSTOMERS = 24;
const PAYLOAD_BYTES = 1_200;
const RATES = [500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_500, 3_000, 4_000, 5_000];
/** A rate is held when no request failed and the 99th percentile stays below this. */
const HELD_P99_MS = 250;
const SAMPLE_EVERY = 50;

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly keys: readonly string[];
}

async function start(dataDir: string): Promise<Running> {
  const child = spawn(process.execPath, [compiledModule('cli/main.ts'), 'start', '--quiet'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
  });
  const [message] = (await once(child, 'message')) as [{ ready: string }];
  const secret = readFileSync(dataFolder(dataDir).internalSecret, 'utf8').trim();
  const internal = createClient(message.ready, { 'x-internal-secret': secret });
  const keys: string[] = [];
  for (let number = 0; number < CUSTOMERS; number += 1) {
    const body = { name: `Bench ${number}`, type: 'COMPANY', plan: 'ENTERPRISE' };
    const customer = await internal.call('POST', '/internal/customers', body);
    const key = await internal.call('POST', `/internal/customers/${customer.body.id}/api-keys`, {
      name: 'bench',
    });
    keys.push(String(key.body.key));
    const sandbox = { name: 'Bench', slug: 'bench', sandboxType: 'FULL_SPECTRUM', regulations: ['GDPR'] };
    await createClient(message.ready, { 'x-service-key': keys.at(-1) ?? '' }).call(
      'POST',
      '/sandboxes',
      sandbox,
    );
  }
  return { child, url: message.ready, keys };
}

const filler = 'The quarterly report lists shipments, returns and open questions of the northern region. ';

const shot = (keys: readonly string[], number: number): Shot => {
  const prompt = `Mail ann.${number}@example.org about order ${number}. ${filler.repeat(8)}`;
  const body = { sandboxSlug: 'bench', provider: 'openai', model: 'gpt-4o', prompt, response: '' };
  const room = PAYLOAD_BYTES - Buffer.byteLength(JSON.stringify(body));
  body.response = filler.repeat(10).slice(0, Math.max(0, room));
  return {
    path: '/audit/ingest',
    headers: { 'x-service-key': keys[number % keys.length] ?? '' },
    body: JSON.stringify(body),
  };
};

/** Open-loop run; every 50th audit is followed until its signal is stored. */
async function run(
  service: Running,
  rate: number,
): Promise<{ load: LoadResult; visibleMs: number[]; usage: string[] }> {
  const visible: Promise<number>[] = [];
  const before = processUsage(service.child.pid ?? 0);
  const load = await openLoop(
    service.url,
    rate,
    SECONDS,
    (number) => shot(service.keys, number),
    (number, body, answeredAt) => {
      if (number % SAMPLE_EVERY !== 0) return;
      const { auditId } = JSON.parse(body) as { auditId: string };
      visible.push(untilVisible(service, number, auditId, answeredAt));
    },
  );
  const usage = usageBetween(before, processUsage(service.child.pid ?? 0), SECONDS);
  const visibleMs = (await Promise.all(visible)).toSorted((a, b) => a - b);
  return { load, visibleMs, usage };
}

async function untilVisible(
  service: Running,
  number: number,
  auditId: string,
  answeredAt: number,
): Promise<number> {
  const client = createClient(service.url, shot(service.keys, number).headers);
  const audit = await client.call('GET', `/audits/${auditId}?wait=30`);
  return audit.body.status === 'COMPLETED' ? performance.now() - answeredAt : Number.POSITIVE_INFINITY;
}

const usageBetween = (before: readonly Usage[], after: readonly Usage[], seconds: number): string[] =>
  after.map((usage) => {
    const cpu = (usage.cpuSeconds - (before.find(({ pid }) => pid === usage.pid)?.cpuSeconds ?? 0)) / seconds;
    return `${path.basename(usage.command.split(' ')[0] ?? '')}: ${(cpu * 100).toFixed(0)} % of a core, ${usage.residentMiB} MiB`;
  });

const row = (name: string, load: LoadResult, visibleMs: readonly number[]): string[] => [
  name,
  load.perSecond.toFixed(0),
  load.p50Ms.toFixed(1),
  load.p99Ms.toFixed(1),
  String([...load.errors.values()].reduce((sum, count) => sum + count, 0)),
  visibleMs.length === 0 ? '' : quantile(visibleMs, 0.5).toFixed(0),
  visibleMs.length === 0 ? '' : quantile(visibleMs, 0.95).toFixed(0),
];

async function bareFastify(keys: readonly string[]): Promise<LoadResult> {
  const child = fork(compiledModule('bench/load/bare-fastify.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [address] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const result = await closedLoop(address.toString().trim(), 64, SECONDS, (number) => shot(keys, number));
  child.kill('SIGTERM');
  await once(child, 'exit');
  return result;
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cas-bench-'));
const service = await start(dataDir);
try {
  print('warming up ...');
  await openLoop(service.url, 300, 8, (number) => shot(service.keys, number));
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
  const most = await closedLoop(service.url, 64, SECONDS, (number) => shot(service.keys, number));
  const bare = await bareFastify(service.keys);
  rows.push(row('closed loop, 64', most, []), row('bare Fastify, closed loop, 64', bare, []));
  printTable(['load', '202s per s', 'p50 ms', 'p99 ms', 'errors', 'visible p50 ms', 'visible p95 ms'], rows);
  print(`ratio to bare Fastify: ${(most.perSecond / bare.perSecond).toFixed(2)}`);
  for (const line of usages) print(line);
} finally {
  service.child.kill('SIGTERM');
  await once(service.child, 'exit');
  rmSync(dataDir, { recursive: true, force: true });
}
