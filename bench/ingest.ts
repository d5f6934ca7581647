import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compiledModule } from '#platform/config/package-root.ts';
import { print, printTable } from '../cli/command/output.ts';
import { closedLoop, type LoadResult, openLoop, quantile } from './load/open-loop.ts';
import { batchShots, type Target, tripletShots, untilVisible } from './load/triplets.ts';
import {
  COST_HEAD,
  costCells,
  type EmbeddedService,
  measureCost,
  startEmbeddedService,
} from './service/embedded-service.ts';
import { type FollowedLoad, followedLoad } from './service/followed-load.ts';

/**
 * Ingest over HTTP into the embedded set-up, everything on this machine, the load generator included:
 *
 *   npm run bench:ingest -- [single|search|batch] [--seconds 30] [--runs 5] [--rate 1500] [--profile FOLDER]
 *
 * `single`: runs at one rate, and the median of them. `search`: the highest sustainable rate, compared with bare
 * Fastify. `batch`: batches of 500 on a few connections, and how long it takes until the last of them is stored.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '30' },
    runs: { type: 'string', default: '5' },
    rate: { type: 'string', default: '1500' },
    profile: { type: 'string' },
  },
});
const SECONDS = Number(values.seconds);
const RUNS = Number(values.runs);
const RATE = Number(values.rate);
const CUSTOMERS = 24;
const RATES = [500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_500, 3_000, 4_000, 5_000, 6_000];
/** A rate is sustained when no request failed and the 99th percentile stays below this. */
const HELD_P99_MS = 50;
const CONNECTIONS = 64;
const BATCH_SIZE = 500;
const BATCH_CONNECTIONS = 8;
const WARM_UP = { rate: 500, seconds: 10 };

const run = (service: EmbeddedService, rate: number): Promise<FollowedLoad> =>
  followedLoad(service, tripletShots(service.target), rate, SECONDS);

const LOAD_HEAD = ['load', '202s per s', 'p50 ms', 'p99 ms', 'max ms', 'errors'];
const loadCells = (name: string, load: LoadResult): string[] => [
  name,
  load.perSecond.toFixed(0),
  load.p50Ms.toFixed(1),
  load.p99Ms.toFixed(1),
  load.maxMs.toFixed(0),
  load.errors.size === 0 ? '0' : JSON.stringify(Object.fromEntries(load.errors)),
];

const RUN_HEAD = [...LOAD_HEAD, 'visible p50 ms', 'p95 ms', ...COST_HEAD];
const runCells = (name: string, { load, visibleMs, cost }: FollowedLoad): string[] => [
  ...loadCells(name, load),
  quantile(visibleMs, 0.5).toFixed(0),
  quantile(visibleMs, 0.95).toFixed(0),
  ...costCells(cost, load.ok),
];

async function single(service: EmbeddedService): Promise<void> {
  const runs: FollowedLoad[] = [];
  for (let number = 1; number <= RUNS; number += 1) {
    print(`run ${number} of ${RUNS}: ${RATE}/s for ${SECONDS} s ...`);
    runs.push(await run(service, RATE));
  }
  const byP99 = runs.toSorted((one, other) => one.load.p99Ms - other.load.p99Ms);
  const median = byP99[Math.floor((byP99.length - 1) / 2)] as FollowedLoad;
  printTable(RUN_HEAD, [
    ...runs.map((one, index) => runCells(`run ${index + 1}, ${RATE}/s`, one)),
    runCells(`median of ${RUNS} (by p99)`, median),
  ]);
}

async function search(service: EmbeddedService): Promise<void> {
  const rows: string[][] = [];
  for (const rate of RATES) {
    print(`${rate}/s for ${SECONDS} s ...`);
    const one = await run(service, rate);
    rows.push(runCells(`${rate}/s`, one));
    if (one.load.errors.size > 0 || one.load.p99Ms > HELD_P99_MS) break;
  }
  printTable(RUN_HEAD, rows);
  print(`closed loop, ${CONNECTIONS} connections, and the same against bare Fastify ...`);
  const shots = tripletShots(service.target);
  const cost = measureCost(service.pid);
  const most = await closedLoop(service.target.url, CONNECTIONS, SECONDS, shots);
  const used = cost();
  const bare = await bareFastify(service.target);
  printTable(
    [...LOAD_HEAD, ...COST_HEAD],
    [
      [...loadCells('closed loop', most), ...costCells(used, most.ok)],
      [...loadCells('bare Fastify', bare), ...COST_HEAD.map(() => '')],
    ],
  );
  print(`ratio to bare Fastify: ${(most.perSecond / bare.perSecond).toFixed(2)}`);
}

async function bareFastify(target: Target): Promise<LoadResult> {
  const child = fork(compiledModule('bench/load/bare-fastify.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [address] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const url = address.toString().trim();
  const result = await closedLoop(url, CONNECTIONS, SECONDS, tripletShots({ ...target, url }));
  child.kill('SIGTERM');
  await once(child, 'exit');
  return result;
}

async function batch(service: EmbeddedService): Promise<void> {
  const { pid, target } = service;
  const rows: string[][] = [];
  for (let number = 1; number <= RUNS; number += 1) {
    print(
      `run ${number} of ${RUNS}: batches of ${BATCH_SIZE} on ${BATCH_CONNECTIONS} connections for ${SECONDS} s ...`,
    );
    let accepted = 0;
    /** The last audit of each customer's last batch. */
    const last = new Map<number, { number: number; auditId: string }>();
    const cost = measureCost(pid);
    const load = await closedLoop(
      target.url,
      BATCH_CONNECTIONS,
      SECONDS,
      batchShots(target, BATCH_SIZE),
      (shot, answer) => {
        const body = JSON.parse(answer.body()) as { accepted: number; data: { auditId?: string }[] };
        accepted += body.accepted;
        const auditId = body.data.findLast((item) => item.auditId !== undefined)?.auditId;
        if (auditId !== undefined) last.set(shot % target.keys.length, { number: shot, auditId });
      },
    );
    const endedAt = performance.now();
    const drained = await Promise.all(
      [...last.values()].map((one) => untilVisible(target, one.number, one.auditId, endedAt)),
    );
    rows.push([
      ...loadCells(`run ${number}`, load),
      ((accepted * load.perSecond) / Math.max(1, load.ok)).toFixed(0),
      (Math.max(0, ...drained) / 1000).toFixed(1),
      ...costCells(cost(), accepted),
    ]);
  }
  printTable([...LOAD_HEAD, 'triplets per s', 'stored after s', ...COST_HEAD], rows);
}

const MODES = { single, search, batch };
const mode = MODES[(positionals[0] ?? 'single') as keyof typeof MODES];
if (mode === undefined)
  throw new Error(`no mode ${positionals[0]}; there are ${Object.keys(MODES).join(', ')}`);
const profiles = values.profile === undefined ? undefined : path.resolve(values.profile);
if (profiles !== undefined) mkdirSync(profiles, { recursive: true });
const service = await startEmbeddedService(CUSTOMERS, { profiles });
try {
  print('warming up ...');
  await openLoop(service.target.url, WARM_UP.rate, WARM_UP.seconds, tripletShots(service.target));
  await mode(service);
} finally {
  await service.stop();
}
