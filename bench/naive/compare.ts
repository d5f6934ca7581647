import { parseArgs } from 'node:util';
import { print } from '../../cli/command/output.ts';
import { BODIES } from '../budget/bodies.ts';
import { measureReferenceUs } from '../load/reference.ts';
import { ingestShots, type Target } from '../load/triplets.ts';
import { kafkaAdmin, untilAllStored } from '../service/consumer-lag.ts';
import { type Servers, startDistributedService } from '../service/distributed-service.ts';
import {
  idleCores,
  type MeasuredLoad,
  measureLoad,
  type PipelineLoad,
  sendLoad,
} from '../service/measured-load.ts';
import type { Round } from './cost.ts';
import { startNaivePipeline } from './pipeline.ts';
import { printComparison } from './report.ts';

/**
 * The service and a naive pipeline on the same servers, in turns at the same rate with the same triplets of 1.2 KB; CPU
 * per audit of all processes. Four minutes:
 *
 *   npm run bench:naive -- [--rate 400] [--seconds 15] [--rounds 3]
 *
 * Method and results: docs/performance.md.
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '400' },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '3' },
  },
});
const RATE_PER_SECOND = Number(values.rate);
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const CUSTOMERS = 24;
/** The naive pipeline looks at none. */
const NO_KEYS = Array.from({ length: CUSTOMERS }, () => 'none');
/** Code is compiled while it runs; a new process costs twice as much. */
const WARM_UP_SECONDS = 25;
const IDLE_SECONDS = 8;

type Names = ReadonlyMap<number, string>;

/** One of the two pipelines with the processes that it needs. */
interface Peer {
  readonly load: PipelineLoad;
  readonly processes: Names;
}

const namesOf = (processes: readonly { readonly name: string; readonly pid: number }[]): Names =>
  new Map(processes.map(({ name, pid }) => [pid, name]));

function loadOf(target: Target, untilStored: () => Promise<void>): PipelineLoad {
  const next = ingestShots(target, BODIES['1.2 KB']!());
  return { url: target.url, ratePerSecond: RATE_PER_SECOND, seconds: SECONDS, next, untilStored };
}

/** A peer is measured while the other one only waits. Who is first changes from round to round. */
async function measureRound(number: number, ours: Peer, naive: Peer): Promise<Round> {
  print(`round ${number + 1} of ${ROUNDS}: ${RATE_PER_SECOND}/s for ${SECONDS} s each ...`);
  const measured = new Map<Peer, MeasuredLoad>();
  for (const peer of number % 2 === 0 ? [ours, naive] : [naive, ours])
    measured.set(peer, await measureLoad(peer.load, peer.processes));
  return { ours: measured.get(ours)!, naive: measured.get(naive)! };
}

/** The naive pipeline is warmed up before a role of the service runs, to see what its servers do while it waits. */
async function startNaivePeer(servers: Servers) {
  const admin = kafkaAdmin(servers.kafka.address);
  await admin.connect();
  const pipeline = await startNaivePipeline(admin, servers);
  const shared = namesOf([servers.kafka, servers.clickhouse]);
  const processes = new Map([...pipeline.processes, ...shared]);
  const load = loadOf({ url: pipeline.url, keys: NO_KEYS }, pipeline.untilStored);
  print('warming up the naive pipeline ...');
  const { ok } = await sendLoad({ ...load, seconds: WARM_UP_SECONDS });
  const idle = await idleCores(shared, IDLE_SECONDS);
  return { admin, pipeline, shared, idle, warmUps: ok, peer: { load, processes } };
}

const service = await startDistributedService(CUSTOMERS, startNaivePeer);
const { target, api, analyzer, sink, correlator, servers, prepared } = service;
const { admin, pipeline, shared } = prepared;
try {
  const ours: Peer = {
    load: loadOf(target, () => untilAllStored(admin)),
    processes: namesOf([api, analyzer, sink, correlator, ...servers]),
  };
  print('warming up the service ...');
  await sendLoad({ ...ours.load, seconds: WARM_UP_SECONDS });
  const idle = await idleCores(shared, IDLE_SECONDS);
  measureReferenceUs();

  const rounds: Round[] = [];
  for (let number = 0; number < ROUNDS; number += 1)
    rounds.push(await measureRound(number, ours, prepared.peer));
  const sent = rounds.reduce((sum, { naive }) => sum + naive.load.ok, prepared.warmUps);
  const rows = await pipeline.countRows();
  if (rows < sent) throw new Error(`the naive pipeline stored ${rows} of ${sent} audits`);
  printComparison(rounds, { naive: prepared.idle, both: idle });
} finally {
  await pipeline.stop();
  await admin.disconnect();
  await service.stop();
}
