import { parseArgs } from 'node:util';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { print, printTable } from '../cli/command/output.ts';
import { diskBytes } from './load/disk-usage.ts';
import { openLoop } from './load/open-loop.ts';
import { anonymousMiB, childrenOf } from './load/process-usage.ts';
import { auditIdOf, type Target, tripletShots, untilVisible } from './load/triplets.ts';
import { startDistributedService } from './service/distributed-service.ts';
import { startEmbeddedService } from './service/embedded-service.ts';

/**
 * What a service takes of disk and memory while it works, with triplets of 1.2 KB:
 *
 *   npm run bench:growth -- [--distributed] [--rate 300] [--seconds 600]
 *
 * Method and results: docs/performance.md.
 */
const { values } = parseArgs({
  options: {
    distributed: { type: 'boolean', default: false },
    rate: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '600' },
  },
});
const RATE = Number(values.rate);
const SECONDS = Number(values.seconds);
const CUSTOMERS = 24;
const SAMPLE_MS = 1_000;
const PROGRESS_MS = 60_000;
/** Merges and removals of files go on for a while after the last audit is stored. */
const SETTLE_MS = 5_000;

interface Watched {
  readonly target: Target;
  /** By name, the folder with its data. */
  readonly stores: ReadonlyMap<string, string>;
  /** By name, its process id. */
  readonly processes: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

async function embedded(): Promise<Watched> {
  const { pid, target, dataDir, stop } = await startEmbeddedService(CUSTOMERS);
  const { log, state, warehouse } = dataFolder(dataDir);
  const [engine = 0] = childrenOf(pid);
  return {
    target,
    stores: new Map(Object.entries({ log, state, warehouse })),
    processes: new Map(Object.entries({ service: pid, engine })),
    stop,
  };
}

async function distributed(): Promise<Watched> {
  const { target, api, analyzer, sink, correlator, servers, folderOf, stop } = await startDistributedService(
    CUSTOMERS,
    async () => undefined,
  );
  return {
    target,
    stores: new Map(servers.map(({ name }) => [name, folderOf(name)])),
    processes: new Map([api, analyzer, sink, correlator, ...servers].map(({ name, pid }) => [name, pid])),
    stop,
  };
}

const MIB = 1024 ** 2;

async function measure({ target, stores, processes }: Watched): Promise<void> {
  const most = new Map<string, number>();
  const sample = (): void => {
    for (const [name, pid] of processes) most.set(name, Math.max(most.get(name) ?? 0, anonymousMiB(pid)));
  };
  const sizes = () => new Map([...stores].map(([name, folder]) => [name, diskBytes(folder)]));
  const before = sizes();
  const sampling = setInterval(sample, SAMPLE_MS);
  const beganAt = performance.now();
  const progress = setInterval(() => {
    print(`  ${Math.round((performance.now() - beganAt) / 1000)} of ${SECONDS} s ...`);
  }, PROGRESS_MS);
  const last: { number: number; auditId: string }[] = [];
  const load = await openLoop(target.url, RATE, SECONDS, tripletShots(target), (number, answer) => {
    if (number >= RATE * SECONDS - CUSTOMERS) last.push({ number, auditId: auditIdOf(answer.body()) });
  });
  clearInterval(progress);
  const stored = last.map((one) => untilVisible(target, one.number, one.auditId, performance.now()));
  await Promise.all(stored);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  clearInterval(sampling);
  const after = sizes();
  const grown = [...after].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)] as const);
  const perAudit = (bytes: number): string => (bytes / Math.max(1, load.ok)).toFixed(0);
  print(`${load.ok} audits accepted, errors ${JSON.stringify(Object.fromEntries(load.errors))}`);
  printTable(
    ['disk', 'MiB grown', 'bytes per audit'],
    [...grown, ['all', grown.reduce((sum, [, bytes]) => sum + bytes, 0)] as const].map(([name, bytes]) => [
      name,
      (bytes / MIB).toFixed(1),
      perAudit(bytes),
    ]),
  );
  printTable(
    ['process', 'anonymous memory at most, MiB'],
    [...most].map(([name, mib]) => [name, mib.toFixed(0)]),
  );
}

const watched = await (values.distributed ? distributed() : embedded());
try {
  print(`${RATE}/s for ${SECONDS} s ...`);
  await measure(watched);
} finally {
  await watched.stop();
}
