import type { Admin } from 'kafkajs';
import { print, printTable } from '../../cli/command/output.ts';
import { ingestShots, type Target } from '../load/triplets.ts';
import { kafkaAdmin, untilAllStored } from '../service/consumer-lag.ts';
import { type Servers, startDistributedService } from '../service/distributed-service.ts';
import { idleCores, measureLoad, type Names, sendLoad } from '../service/measured-load.ts';
import { watchFolders, watchProcesses } from '../service/process-watch.ts';
import { type NaivePipeline, startNaivePipeline } from './naive/pipeline.ts';
import { coresOf, ROLES_HEAD, type RoleUse, rolesRows } from './roles-table.ts';

interface Options {
  readonly rate: number;
  readonly seconds: number;
  readonly runs: number;
  readonly withNaive: boolean;
}

const CUSTOMERS = 24;
/** The naive pipeline reads no keys. */
const NO_KEYS = Array.from({ length: CUSTOMERS }, () => 'none');
/** Until its code is compiled, a new process costs twice as much. */
const WARM_UP_SECONDS = 25;
const IDLE_SECONDS = 8;
/** A rate is sustained when this share of it was accepted in time. */
const HELD_SHARE = 0.97;
/** Servers that store audits. The registry keeps its schemas in Kafka. */
const STORES = ['kafka', 'clickhouse', 'redis'];

const HOW = [
  'CPU: user and system time of all threads (/proc), from the first request until all is stored and three seconds more.',
  'Busiest thread: of the same time. What a thread takes at most is the limit of a process in which one thread does the work.',
  'Memory: the most that one process held resident at this rate; it does not grow in proportion to the rate.',
  'Disk: growth of the store’s folder over the run in whole blocks, one copy. 1 MB/s at 1,000/s is 1 KB an audit.',
];

const namesOf = (processes: readonly { readonly name: string; readonly pid: number }[]): Names =>
  new Map(processes.map(({ name, pid }) => [pid, name]));

/** One of the two pipelines and its processes. */
interface Pipeline {
  readonly target: Target;
  readonly processes: Names;
  readonly untilStored: () => Promise<void>;
  /** Data folders of its servers, by server name. */
  readonly folders: ReadonlyMap<string, string>;
}

interface Naive extends Pipeline {
  readonly running: NaivePipeline;
  readonly warmUps: number;
  /** Servers that both pipelines use. */
  readonly shared: Names;
  /** Cores that the shared servers use while only the naive pipeline runs and is idle, by name. */
  readonly idle: ReadonlyMap<string, number>;
}

function loadOf({ target, untilStored }: Pipeline, { rate, seconds }: Options) {
  return { url: target.url, ratePerSecond: rate, seconds, next: ingestShots(target), untilStored };
}

async function warmUp(pipeline: Pipeline, options: Options): Promise<number> {
  print('warming up ...');
  return (await sendLoad({ ...loadOf(pipeline, options), seconds: WARM_UP_SECONDS })).ok;
}

/** Starts the naive pipeline and warms it up before any role of the service runs. */
async function startNaive(admin: Admin, servers: Servers, options: Options): Promise<Naive> {
  const running = await startNaivePipeline(admin, servers);
  const shared = namesOf([servers.kafka, servers.clickhouse]);
  const pipeline: Pipeline = {
    target: { url: running.url, keys: NO_KEYS },
    processes: new Map([...running.processes, ...shared]),
    untilStored: running.untilStored,
    folders: new Map(),
  };
  const warmUps = await warmUp(pipeline, options);
  return { ...pipeline, running, warmUps, shared, idle: await idleCores(shared, IDLE_SECONDS) };
}

/** Usage of each role of a pipeline under load, while the other pipeline is idle. */
async function measure(name: string, pipeline: Pipeline, options: Options): Promise<RoleUse[]> {
  const grown = watchFolders(pipeline.folders);
  const peaks = watchProcesses([...pipeline.processes.keys()]);
  const { load, usage, seconds, referenceUs } = await measureLoad(
    loadOf(pipeline, options),
    pipeline.processes,
  );
  const [peakOf, grownOf] = [peaks(), grown()];
  print(
    `${name}: accepted ${load.perSecond.toFixed(0)}/s, p50 ${load.p50Ms.toFixed(0)} ms, ` +
      `p99 ${load.p99Ms.toFixed(0)} ms; reference ${referenceUs.toFixed(1)} us`,
  );
  if (load.perSecond < options.rate * HELD_SHARE)
    print('the machine did not hold this rate: choose a lower one');
  return [...pipeline.processes].map(([pid, role]) => ({
    name: role,
    audits: load.ok,
    seconds,
    cpuSeconds: usage.find((use) => use.name === role)?.cpuSeconds ?? 0,
    ...peakOf.get(pid)!,
    diskBytes: grownOf.get(role) ?? null,
  }));
}

/** Subtracts the load that the idle service puts on the shared servers. */
async function withoutWaiting({ shared, idle }: Naive, runs: readonly RoleUse[][]): Promise<RoleUse[][]> {
  const both = await idleCores(shared, IDLE_SECONDS);
  const waiting = (name: string): number => Math.max(0, (both.get(name) ?? 0) - (idle.get(name) ?? 0));
  return runs.map((roles) =>
    roles.map((role) => ({
      ...role,
      cpuSeconds: Math.max(0, role.cpuSeconds - waiting(role.name) * role.seconds),
    })),
  );
}

async function printComparison(naive: Naive, ours: RoleUse[][], measured: RoleUse[][]): Promise<void> {
  // A pipeline that loses audits would look cheap.
  const sent = measured.reduce((sum, [role]) => sum + role!.audits, naive.warmUps);
  const rows = await naive.running.countRows();
  if (rows < sent) throw new Error(`the naive pipeline stored ${rows} of ${sent} audits`);
  const theirs = await withoutWaiting(naive, measured);
  print('the naive pipeline, without what the waiting service asks of the servers that both use:');
  printTable(ROLES_HEAD, rolesRows(theirs));
  const ratios = ours.map((run, at) => (coresOf(run) / coresOf(theirs[at]!)).toFixed(2));
  print(`CPU of an audit, ours / naive, run by run: ${ratios.join(', ')}`);
}

async function measureAll(service: Pipeline, naive: Naive | null, options: Options): Promise<void> {
  const [ours, theirs]: [RoleUse[][], RoleUse[][]] = [[], []];
  for (let number = 1; number <= options.runs; number += 1) {
    print(`run ${number} of ${options.runs}: ${options.rate}/s for ${options.seconds} s ...`);
    // The order alternates from run to run.
    if (naive !== null && number % 2 === 0) theirs.push(await measure('naive', naive, options));
    ours.push(await measure('service', service, options));
    if (naive !== null && number % 2 === 1) theirs.push(await measure('naive', naive, options));
  }
  printTable(ROLES_HEAD, rolesRows(ours));
  for (const line of HOW) print(line);
  if (naive !== null) await printComparison(naive, ours, theirs);
}

export async function ingestDistributed(options: Options): Promise<void> {
  const service = await startDistributedService(CUSTOMERS, async (servers) => {
    const admin = kafkaAdmin(servers.kafka.address);
    await admin.connect();
    return { admin, naive: options.withNaive ? await startNaive(admin, servers, options) : null };
  });
  const { api, analyzer, sink, correlator, servers, target, folderOf } = service;
  const { admin, naive } = service.prepared;
  try {
    const ours: Pipeline = {
      target,
      processes: namesOf([api, analyzer, sink, correlator, ...servers]),
      untilStored: () => untilAllStored(admin),
      folders: new Map(STORES.map((name) => [name, folderOf(name)])),
    };
    await warmUp(ours, options);
    await measureAll(ours, naive, options);
  } finally {
    await naive?.running.stop();
    await admin.disconnect();
    await service.stop();
  }
}
