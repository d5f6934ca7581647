import { parseArgs } from 'node:util';
import { print, printTable } from '../../cli/command/output.ts';
import { BODIES } from '../budget/bodies.ts';
import { diskBytes } from '../load/disk-usage.ts';
import { ingestShots } from '../load/triplets.ts';
import { kafkaAdmin, untilAllStored } from '../service/consumer-lag.ts';
import { startDistributedService } from '../service/distributed-service.ts';
import { measureLoad, type PipelineLoad, sendLoad } from '../service/measured-load.ts';
import { watchProcesses } from './process-watch.ts';
import { type RoleUse, SIZING_HEAD, sizingRows } from './table.ts';
import { watchTraffic } from './traffic.ts';

/**
 * What each role of the distributed service uses per 1,000 audits a second, with triplets of 1.2 KB:
 *
 *   npm run bench:sizing -- [--rate 400] [--seconds 30] [--runs 2]
 *
 * Choose a rate that the machine holds. The table and what follows from it: docs/sizing.md.
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '400' },
    seconds: { type: 'string', default: '30' },
    runs: { type: 'string', default: '2' },
  },
});
const RATE_PER_SECOND = Number(values.rate);
const SECONDS = Number(values.seconds);
const RUNS = Number(values.runs);
const CUSTOMERS = 24;
const WARM_UP_SECONDS = 25;
/** A rate is held when this share of it was accepted in time. */
const HELD_SHARE = 0.97;
/** Servers that keep audits. The registry keeps its schemas in Kafka. */
const STORES = ['kafka', 'clickhouse', 'redis'];

const HOW = [
  'CPU: user and system time of all threads (/proc), from the first request until all is stored and three seconds more.',
  'Busiest thread: of the same time; what a thread takes at most says how much one process of a role can, where one thread does the work.',
  `Memory: the most that one process held resident at ${RATE_PER_SECOND}/s; it does not grow with the rate in proportion.`,
  'Disk: growth of the store’s folder over the run in whole blocks, one copy; MB/s at 1,000/s are KB an audit, and 86.4 GB a day each.',
  'Network: payload of TCP by socket and process (ss). What one role sends another one receives, or the load generator.',
];

const service = await startDistributedService(CUSTOMERS, async () => undefined);
const { brokers, target, api, analyzer, sink, correlator, servers, folderOf } = service;
const admin = kafkaAdmin(brokers);
const processes = new Map(
  [api, analyzer, sink, correlator, ...servers].map(({ name, pid }) => [pid, name] as const),
);

async function measureRun(load: PipelineLoad): Promise<RoleUse[]> {
  const sizes = () => new Map(STORES.map((name) => [name, diskBytes(folderOf(name))]));
  const before = sizes();
  const traffic = await watchTraffic();
  const peaks = watchProcesses([...processes.keys()]);
  const measured = await measureLoad(load, processes);
  const [peakOf, trafficOf, after] = [peaks(), await traffic(), sizes()];
  const { ok, perSecond, p99Ms } = measured.load;
  print(
    `accepted ${perSecond.toFixed(0)}/s, p99 ${p99Ms.toFixed(0)} ms, reference ${measured.referenceUs} us`,
  );
  if (perSecond < RATE_PER_SECOND * HELD_SHARE)
    print('the machine did not hold this rate: choose a lower one');
  return [...processes].map(([pid, name]) => ({
    name,
    audits: ok,
    cpuSeconds: measured.usage.find((use) => use.name === name)?.cpuSeconds ?? 0,
    ...peakOf.get(pid)!,
    diskBytes: after.has(name) ? after.get(name)! - before.get(name)! : null,
    ...(trafficOf.get(pid) ?? { receivedBytes: 0, sentBytes: 0 }),
  }));
}

try {
  await admin.connect();
  const load: PipelineLoad = {
    url: target.url,
    ratePerSecond: RATE_PER_SECOND,
    seconds: SECONDS,
    next: ingestShots(target, BODIES['1.2 KB']!()),
    untilStored: () => untilAllStored(admin),
  };
  print('warming up ...');
  await sendLoad({ ...load, seconds: WARM_UP_SECONDS });
  const runs: RoleUse[][] = [];
  for (let number = 1; number <= RUNS; number += 1) {
    print(`run ${number} of ${RUNS}: ${RATE_PER_SECOND}/s for ${SECONDS} s ...`);
    runs.push(await measureRun(load));
  }
  printTable(SIZING_HEAD, sizingRows(runs));
  for (const line of HOW) print(line);
} finally {
  await admin.disconnect();
  await service.stop();
}
