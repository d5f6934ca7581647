import { parseArgs } from 'node:util';
import { print, printTable } from '../../cli/command/output.ts';
import { quantile } from '../load/open-loop.ts';
import { measureReferenceUs } from '../load/reference.ts';
import { ingestShots } from '../load/triplets.ts';
import { costCells, type EmbeddedService, startEmbeddedService } from '../service/embedded-service.ts';
import { type FollowedLoad, followedLoad } from '../service/followed-load.ts';
import { BODIES } from './bodies.ts';

/**
 * The first minutes of an embedded service's life at a steady rate: what an audit of 1.2 KB costs in them, as a ratio to
 * the last of them, and how soon it is visible.
 *
 *   npm run bench:cold -- [--rate 300] [--warm-after 150]
 *
 * The load begins five seconds after the start; nothing rests between the phases but for the last audits to be stored.
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '300' },
    'warm-after': { type: 'string', default: '150' },
  },
});
const RATE = Number(values.rate);
const WARM_AFTER_SECONDS = Number(values['warm-after']);
const CUSTOMERS = 24;
const FIRST_MS = 5_000;
const PARTS = ['main', 'pipeline', 'other threads', 'engine'];
const PHASE_SECONDS = 25;

interface Phase {
  readonly name: string;
  readonly usOfAudit: number;
  readonly referenceUs: number;
  readonly run: FollowedLoad;
}

async function phase(service: EmbeddedService, name: string, seconds: number): Promise<Phase> {
  const shots = ingestShots(service.target, BODIES['1.2 KB']!());
  const quickUs = measureReferenceUs();
  const run = await followedLoad(service, shots, RATE, seconds);
  const { main, pipeline, otherThreads, engine } = run.cost;
  return {
    name,
    usOfAudit: ((main + pipeline + otherThreads + engine) / run.load.ok) * 1e6,
    referenceUs: Math.min(quickUs, measureReferenceUs()),
    run,
  };
}

function cells({ name, usOfAudit, referenceUs, run }: Phase, warm: Phase): string[] {
  const references = usOfAudit / referenceUs;
  return [
    name,
    usOfAudit.toFixed(0),
    references.toFixed(0),
    (references / (warm.usOfAudit / warm.referenceUs)).toFixed(2),
    ...costCells(run.cost, run.load.ok).slice(0, PARTS.length),
    run.load.p99Ms.toFixed(0),
    quantile(run.visibleMs, 0.5).toFixed(0),
    quantile(run.visibleMs, 0.95).toFixed(0),
  ];
}

const started = performance.now();
const service = await startEmbeddedService(CUSTOMERS);
print(`ready after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
try {
  await new Promise((resolve) => setTimeout(resolve, FIRST_MS));
  const first = await phase(service, 'seconds 5 to 30', PHASE_SECONDS);
  const second = await phase(service, 'the next 25 s', PHASE_SECONDS);
  await phase(service, 'until warm', Math.max(1, WARM_AFTER_SECONDS - 2 * PHASE_SECONDS));
  const warm = await phase(service, `after ${WARM_AFTER_SECONDS} s`, PHASE_SECONDS);
  printTable(
    [`${RATE}/s`, 'us', 'references', 'to warm', ...PARTS, '202 p99 ms', 'visible p50 ms', 'p95 ms'],
    [first, second, warm].map((one) => cells(one, warm)),
  );
} finally {
  await service.stop();
}
