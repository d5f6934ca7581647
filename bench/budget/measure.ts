import { measureReferenceUs } from '../load/reference.ts';
import type { Cost, EmbeddedService } from '../service/embedded-service.ts';
import { type StageTotals, stageTotals, stageUs } from './stages.ts';
import { type Load, loadInTurns } from './turns.ts';

/** Metrics are collected once a second, regardless of the number of scrapes. */
const METRICS_AGE_MS = 1_100;

export interface Budget {
  readonly referenceUs: number;
  /** Microseconds per audit by row of the table. */
  readonly us: ReadonlyMap<string, number>;
}

async function scrape({ target, internalSecret }: EmbeddedService): Promise<Map<string, StageTotals>> {
  const headers = { 'x-internal-secret': internalSecret };
  return stageTotals(await (await fetch(`${target.url}/metrics`, { headers })).text());
}

/** Waits until the totals stop changing: every stage has then processed the last audit. */
async function settled(service: EmbeddedService): Promise<Map<string, StageTotals>> {
  for (let last = await scrape(service); ; ) {
    await new Promise((resolve) => setTimeout(resolve, METRICS_AGE_MS));
    const now = await scrape(service);
    if (JSON.stringify([...now]) === JSON.stringify([...last])) return now;
    last = now;
  }
}

const settledAll = (services: readonly EmbeddedService[]): Promise<Map<string, StageTotals>[]> =>
  Promise.all(services.map(settled));

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

/** The cost per audit of this load for each service. */
export async function measureBudgets(services: readonly EmbeddedService[], load: Load): Promise<Budget[]> {
  const before = await settledAll(services);
  const quickUs = measureReferenceUs();
  const shares = await loadInTurns(services, load);
  const after = await settledAll(services);
  const referenceUs = Math.min(quickUs, measureReferenceUs());
  return shares.map(({ audits, cost }, at) => {
    const stages = stageUs(before[at]!, after[at]!, audits);
    return { referenceUs, us: rows(cost, stages, audits) };
  });
}

/** The mean of budgets of the same load. */
export function meanOf(budgets: readonly Budget[]): Budget {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const names = [...new Set(budgets.flatMap(({ us }) => [...us.keys()]))];
  return {
    referenceUs: mean(budgets.map(({ referenceUs }) => referenceUs)),
    us: new Map(names.map((name) => [name, mean(budgets.map(({ us }) => us.get(name) ?? 0))])),
  };
}
