import { parseArgs } from 'node:util';
import { print, printTable } from '../cli/output.ts';
import { BODIES } from './budget/bodies.ts';
import { measureReferenceUs } from './budget/reference.ts';
import { type StageTotals, stageTotals, stageUs } from './budget/stages.ts';
import { openLoop } from './load/open-loop.ts';
import { auditIdOf, ingestShots, type Target, untilVisible } from './load/triplets.ts';
import {
  type Cost,
  type EmbeddedService,
  measureCost,
  startEmbeddedService,
} from './service/embedded-service.ts';

/**
 * What an audit costs, stage by stage: CPU microseconds, and their ratio to a fixed computation of the same run, so that
 * figures of another day can be compared. The embedded service, in under a minute:
 *
 *   npm run bench:budget -- [--rate 500] [--seconds 8]
 *
 * Run it before and after a change. The history stands in docs/benchmarks.md.
 */
const { values } = parseArgs({
  options: { rate: { type: 'string', default: '500' }, seconds: { type: 'string', default: '8' } },
});
const RATE = Number(values.rate);
const SECONDS = Number(values.seconds);
const CUSTOMERS = 24;
/** The service's code is compiled while it runs; until then it costs twice as much. */
const WARM_UP = '1.2 KB';
const WARM_UP_SECONDS = 10;
/** Metrics are made once a second, whoever asks. */
const METRICS_AGE_MS = 1_100;
const DIGITS = 2;

interface Budget {
  readonly kind: string;
  readonly referenceUs: number;
  /** Microseconds per audit by row of the table. */
  readonly us: ReadonlyMap<string, number>;
}

async function scrape({ target, internalSecret }: EmbeddedService): Promise<Map<string, StageTotals>> {
  const headers = { 'x-internal-secret': internalSecret };
  return stageTotals(await (await fetch(`${target.url}/metrics`, { headers })).text());
}

/** The totals once they stand still: then every stage has seen the last audit. */
async function settled(service: EmbeddedService): Promise<Map<string, StageTotals>> {
  for (let last = await scrape(service); ; ) {
    await new Promise((resolve) => setTimeout(resolve, METRICS_AGE_MS));
    const now = await scrape(service);
    if (JSON.stringify([...now]) === JSON.stringify([...last])) return now;
    last = now;
  }
}

/** Sends one load; returns how many audits were accepted, after all of them are stored. */
async function send(target: Target, shots: ReturnType<typeof ingestShots>, seconds: number): Promise<number> {
  const last = new Map<number, { number: number; auditId: string }>();
  const load = await openLoop(target.url, RATE, seconds, shots, (number, answer) => {
    if (number >= RATE * seconds - CUSTOMERS)
      last.set(number % CUSTOMERS, { number, auditId: auditIdOf(answer.body()) });
  });
  if (load.errors.size > 0) throw new Error(`not every audit was accepted: ${[...load.errors].join(', ')}`);
  const since = performance.now();
  await Promise.all([...last.values()].map((one) => untilVisible(target, one.number, one.auditId, since)));
  return load.ok;
}

function rows(cost: Cost, stages: ReadonlyMap<string, number>, audits: number): Map<string, number> {
  const us = (seconds: number): number => (seconds / audits) * 1e6;
  const processes = cost.main + cost.pipeline + cost.otherThreads + cost.engine;
  return new Map([
    ['API thread', us(cost.main)],
    ['pipeline thread', us(cost.pipeline)],
    ...[...stages].map(([stage, spent]) => [`  ${stage}`, spent] as const),
    ['other threads', us(cost.otherThreads)],
    ['engine', us(cost.engine)],
    ['all', us(processes)],
  ]);
}

async function measure(service: EmbeddedService, kind: string): Promise<Budget> {
  const shots = ingestShots(service.target, BODIES[kind]!());
  const before = await settled(service);
  const quickUs = measureReferenceUs();
  const cost = measureCost(service.pid);
  const audits = await send(service.target, shots, SECONDS);
  const used = cost();
  const stages = stageUs(before, await settled(service), audits);
  const referenceUs = Math.min(quickUs, measureReferenceUs());
  return { kind, referenceUs, us: rows(used, stages, audits) };
}

const service = await startEmbeddedService(CUSTOMERS);
try {
  print('warming up ...');
  await send(service.target, ingestShots(service.target, BODIES[WARM_UP]!()), WARM_UP_SECONDS);
  const budgets: Budget[] = [];
  for (const kind of Object.keys(BODIES)) {
    print(`${kind}: ${RATE}/s for ${SECONDS} s ...`);
    budgets.push(await measure(service, kind));
  }
  const names = [...new Set(budgets.flatMap(({ us }) => [...us.keys()]))];
  printTable(
    ['CPU of an audit', ...budgets.flatMap(({ kind }) => [`${kind}, us`, 'ratio'])],
    names.map((name) => [
      name,
      ...budgets.flatMap(({ us, referenceUs }) => {
        const spent = us.get(name);
        return spent === undefined ? ['', ''] : [spent.toFixed(0), (spent / referenceUs).toFixed(DIGITS)];
      }),
    ]),
  );
  print(`reference, us: ${budgets.map(({ referenceUs }) => referenceUs.toFixed(1)).join(', ')}`);
} finally {
  await service.stop();
}
