import { execFileSync } from 'node:child_process';
import type { Admin } from 'kafkajs';
import { print, printTable } from '../cli/command/output.ts';
import { closedLoop, type LoadResult, openLoop, quantile } from './load/open-loop.ts';
import { type ProcessUse, usageBetween, usageOf } from './load/process-usage.ts';
import { auditIdOf, type Target, tripletShots, untilVisible } from './load/triplets.ts';
import { createNaiveTopic, startNaiveSender } from './naive/pipeline.ts';
import { analyzerLag, kafkaAdmin, storingLag, waitFor } from './service/consumer-lag.ts';
import { startDistributedService } from './service/distributed-service.ts';
import type { RoleProcess } from './service/role-processes.ts';

/**
 * `npm run bench:kafka [-- seconds runs rate]`: the service as one process per role on real servers, all on this
 * machine, the load generator included. Method and results: docs/performance.md.
 */
const [SECONDS = 60, RUNS = 3, RATE = 1_000] = process.argv.slice(2).map(Number);
const CUSTOMERS = 24;
/** A followed audit is polled, so following many would be a load of its own. */
const SAMPLE_EVERY = 500;
const WARM_UP = { rate: 300, seconds: 10 };
const GENERATOR = 'load generator';
const NAIVE_SECONDS = 20;
const BACKLOG = 20_000;
const ANALYZER_COUNTS = [1, 2];
/** While a backlog is taken, the analyzers have a core of their own and everything else has the other (Linux). */
const CORES = { analyzers: '1', others: '0' };

interface Run {
  readonly load: LoadResult;
  readonly visibleMs: readonly number[];
  /** Consumer lag of analyzers and sinks together: sampled during the run, and once after it. */
  readonly lagDuring: readonly number[];
  readonly lagAfter: number;
  /** Of the whole run until all of it is stored. */
  readonly usage: readonly ProcessUse[];
  readonly seconds: number;
}

/** One open-loop run with all its measurements. */
async function run(target: Target, admin: Admin, names: ReadonlyMap<number, string>): Promise<Run> {
  const usages = () => [...names.keys()].map(usageOf);
  const visible: Promise<number>[] = [];
  const lagDuring: number[] = [];
  const sampler = setInterval(() => {
    storingLag(admin).then(
      (lag) => lagDuring.push(lag),
      () => undefined,
    );
  }, 5_000);
  const before = usages();
  const begunAt = performance.now();
  const load = await openLoop(
    target.url,
    RATE,
    SECONDS,
    tripletShots(target),
    (number, answer, answeredAt) => {
      if (number % SAMPLE_EVERY !== 0) return;
      visible.push(untilVisible(target, number, auditIdOf(answer.body()), answeredAt));
    },
  );
  clearInterval(sampler);
  const lagAfter = await storingLag(admin);
  const visibleMs = (await Promise.all(visible)).toSorted((a, b) => a - b);
  await waitFor('all is stored', async () => (await storingLag(admin)) === 0);
  const usage = usageBetween(before, usages(), names);
  return { load, visibleMs, lagDuring, lagAfter, usage, seconds: (performance.now() - begunAt) / 1000 };
}

/** The same load on an endpoint that simply sends each request to the same broker. */
async function naive(brokers: string, target: Target): Promise<{ fixed: LoadResult; most: LoadResult }> {
  const sender = await startNaiveSender(brokers);
  const url = sender.line;
  const next = tripletShots({ ...target, url });
  await openLoop(url, WARM_UP.rate, WARM_UP.seconds / 2, next);
  const fixed = await openLoop(url, RATE, NAIVE_SECONDS, next);
  const most = await closedLoop(url, 64, NAIVE_SECONDS, next);
  await sender.stop();
  return { fixed, most };
}

/** Binds all threads of a process to a core. */
const pin = (pid: number, core: string): unknown => execFileSync('taskset', ['-acp', core, String(pid)]);

/** Records a second that `count` analyzers consume from a backlog, between a tenth and nine tenths of it. */
async function drainRate(
  count: number,
  target: Target,
  admin: Admin,
  startAnalyzer: () => Promise<RoleProcess>,
): Promise<number> {
  const next = tripletShots(target);
  let sent = 0;
  while (sent < BACKLOG) {
    const from = sent;
    const load = await closedLoop(target.url, 64, 5, (number) => next(from + number));
    sent += load.ok;
  }
  const analyzers = await Promise.all(Array.from({ length: count }, startAnalyzer));
  for (const { pid } of analyzers) pin(pid, CORES.analyzers);
  const marks: number[] = [];
  for (const left of [0.9, 0.1]) {
    await waitFor(
      'the analyzers take the backlog',
      async () => (await analyzerLag(admin)) <= sent * left,
      100,
    );
    marks.push(performance.now());
  }
  const [from = 0, to = 0] = marks;
  await waitFor('all is stored', async () => (await storingLag(admin)) === 0);
  for (const analyzer of analyzers) await analyzer.stop();
  return (sent * 0.8) / ((to - from) / 1000);
}

const errorsOf = ({ errors }: LoadResult): string =>
  errors.size === 0 ? '0' : JSON.stringify(Object.fromEntries(errors));

const row = (name: string, load: LoadResult, rest: readonly (string | number)[] = []): string[] => [
  name,
  load.perSecond.toFixed(0),
  load.p50Ms.toFixed(1),
  load.p99Ms.toFixed(1),
  errorsOf(load),
  ...rest.map(String),
];

/** CPU of each process per accepted audit; the sum is that of the service and its servers. */
function printUse({ usage, seconds, load }: Run): void {
  const line = (name: string, cpuSeconds: number): string[] => [
    name,
    `${((cpuSeconds / seconds) * 100).toFixed(0)} %`,
    ((cpuSeconds / Math.max(1, load.ok)) * 1e6).toFixed(0),
  ];
  const service = usage.filter(({ name }) => name !== GENERATOR);
  const sum = service.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
  printTable(
    ['process', 'of a core', 'us per audit', 'MiB'],
    [
      ...usage.map((one) => [...line(one.name, one.cpuSeconds), String(one.residentMiB)]),
      [...line('all but the generator', sum), ''],
    ],
  );
}

function report(runs: readonly Run[], beside: { fixed: LoadResult; most: LoadResult }): void {
  const byP99 = runs.toSorted((one, other) => one.load.p99Ms - other.load.p99Ms);
  const median = byP99[Math.floor(byP99.length / 2)] as Run;
  const cells = ({ visibleMs, lagDuring, lagAfter }: Run) => [
    quantile(visibleMs, 0.95).toFixed(0),
    lagDuring.join(' '),
    lagAfter,
  ];
  printTable(
    ['load', '202s per s', 'p50 ms', 'p99 ms', 'errors', 'visible p95 ms', 'records waiting', 'at the end'],
    [
      ...runs.map((one, number) => row(`run ${number + 1}, ${RATE}/s`, one.load, cells(one))),
      row(`median of ${runs.length}`, median.load, cells(median)),
      row(`naive sender, ${RATE}/s`, beside.fixed, ['', '', '']),
      row('naive sender, closed loop, 64', beside.most, ['', '', '']),
    ],
  );
  printUse(median);
}

const service = await startDistributedService(CUSTOMERS, async ({ kafka }) => {
  const topics = kafkaAdmin(kafka.address);
  await topics.connect();
  await createNaiveTopic(topics);
  await topics.disconnect();
});
const { brokers, target, api, analyzer, sink, correlator, servers } = service;
const admin = kafkaAdmin(brokers);
try {
  await admin.connect();
  const processes = [api, analyzer, sink, correlator, ...servers, { name: GENERATOR, pid: process.pid }];
  const names = new Map(processes.map(({ name, pid }) => [pid, name]));

  print('warming up ...');
  await openLoop(target.url, WARM_UP.rate, WARM_UP.seconds, tripletShots(target));
  const runs: Run[] = [];
  for (let number = 1; number <= RUNS; number += 1) {
    print(`run ${number} of ${RUNS}: ${RATE}/s for ${SECONDS} s ...`);
    runs.push(await run(target, admin, names));
  }
  print('the naive sender ...');
  report(runs, await naive(brokers, target));

  await analyzer.stop();
  for (const { name, pid } of processes) if (name !== 'analyzer') pin(pid, CORES.others);
  const rates: string[][] = [];
  for (const count of ANALYZER_COUNTS) {
    print(`${count} analyzers take a backlog of ${BACKLOG} ...`);
    const perSecond = await drainRate(count, target, admin, () => service.startAnother('analyzer'));
    rates.push([String(count), perSecond.toFixed(0)]);
  }
  printTable(['analyzers', 'triplets per s'], rates);
} finally {
  await admin.disconnect();
  await service.stop();
}
