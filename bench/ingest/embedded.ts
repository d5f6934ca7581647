import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { print, printTable } from '../../cli/command/output.ts';
import { openLoop } from '../load/open-loop.ts';
import { childrenOf } from '../load/process-usage.ts';
import { quantile } from '../load/quantile.ts';
import { measureReferenceUs } from '../load/reference.ts';
import { ingestShots } from '../load/triplets.ts';
import {
  COST_HEAD,
  costCells,
  type EmbeddedService,
  startEmbeddedService,
} from '../service/embedded-service.ts';
import { type FollowedLoad, followedLoad } from '../service/followed-load.ts';
import { watchFolders, watchProcesses } from '../service/process-watch.ts';

interface Options {
  readonly rate: number;
  readonly seconds: number;
  readonly runs: number;
  /** With 0, the load starts five seconds after the service. */
  readonly warmUpSeconds: number;
  readonly inBatches: boolean;
  /** Folder for CPU profiles. */
  readonly profile: string | undefined;
}

const CUSTOMERS = 24;
const BATCH_SIZE = 500;
const COLD_MS = 5_000;

const HEAD = [
  ...[
    '',
    '202s per s',
    'audits per s',
    'stored per s',
    'p50 ms',
    'p99 ms',
    'max ms',
    'errors',
    'visible p50 ms',
    'p95 ms',
  ],
  ...[...COST_HEAD, 'references'],
];

function cells(
  name: string,
  { load, audits, seconds, visibleMs, cost }: FollowedLoad,
  referenceUs: number,
): string[] {
  const spent = costCells(cost, audits);
  const service = cost.main + cost.pipeline + cost.otherThreads + cost.engine;
  return [
    name,
    load.perSecond.toFixed(0),
    ((audits * load.perSecond) / Math.max(1, load.ok)).toFixed(0),
    (audits / seconds).toFixed(0),
    load.p50Ms.toFixed(1),
    load.p99Ms.toFixed(1),
    load.maxMs.toFixed(0),
    load.errors.size === 0 ? '0' : JSON.stringify(Object.fromEntries(load.errors)),
    quantile(visibleMs, 0.5).toFixed(0),
    quantile(visibleMs, 0.95).toFixed(0),
    ...spent,
    ((service * 1e6) / Math.max(1, audits) / referenceUs).toFixed(0),
  ];
}

async function measure(service: EmbeddedService, options: Options): Promise<void> {
  const { log, state, warehouse } = dataFolder(service.dataDir);
  const grown = watchFolders(new Map(Object.entries({ log, state, warehouse })));
  const [engine = 0] = childrenOf(service.pid);
  const peaks = watchProcesses([service.pid, engine]);
  const rows: string[][] = [];
  let audits = 0;
  for (let number = 1; number <= options.runs; number += 1) {
    print(`run ${number} of ${options.runs}, ${options.seconds} s ...`);
    const referenceUs = measureReferenceUs();
    const run = await followedLoad(
      service,
      options.rate,
      options.seconds,
      options.inBatches ? BATCH_SIZE : 1,
    );
    audits += run.audits;
    rows.push(cells(`run ${number}`, run, Math.min(referenceUs, measureReferenceUs())));
  }
  printTable(HEAD, rows);
  const disk = [...grown()].map(([name, bytes]) => `${name} ${(bytes / audits).toFixed(0)}`);
  print(`disk, bytes an audit: ${disk.join(', ')}`);
  const memory = [...peaks()].map(([pid, peak]) => [pid === engine ? 'engine' : 'service', peak] as const);
  for (const [name, { anonymousMiB, residentMiB }] of memory)
    print(`memory of the ${name} at most: ${anonymousMiB.toFixed(0)} MiB, resident ${residentMiB} MiB`);
}

export async function ingestEmbedded(options: Options): Promise<void> {
  const profiles = options.profile === undefined ? undefined : path.resolve(options.profile);
  if (profiles !== undefined) mkdirSync(profiles, { recursive: true });
  const service = await startEmbeddedService(CUSTOMERS, { profiles });
  try {
    const { rate, warmUpSeconds } = options;
    if (warmUpSeconds === 0) await new Promise((resolve) => setTimeout(resolve, COLD_MS));
    else {
      print('warming up ...');
      await openLoop(service.target.url, rate, warmUpSeconds, ingestShots(service.target));
    }
    await measure(service, options);
  } finally {
    await service.stop();
  }
}
