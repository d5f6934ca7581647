import { type LoadResult, openLoop } from '../load/open-loop.ts';
import { type ProcessUse, usageBetween, usageOf } from '../load/process-usage.ts';
import type { Shot } from '../load/raw-http.ts';
import { measureReferenceUs } from '../load/reference.ts';

/** Background work continues for a while after the last audit is stored: merges, indexes, patterns. */
const SETTLE_MS = 3_000;

/** A load on one pipeline. */
interface PipelineLoad {
  readonly url: string;
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly next: (number: number) => Shot;
  /** Resolves when all accepted audits are stored. */
  readonly untilStored: () => Promise<void>;
}

/**
 * Sends a load and waits until all of it is stored. A single refused request ends the run: costs could not be compared.
 */
export async function sendLoad(options: PipelineLoad): Promise<LoadResult> {
  const { url, ratePerSecond, seconds, next, untilStored } = options;
  const load = await openLoop(url, ratePerSecond, seconds, next);
  if (load.errors.size > 0) throw new Error(`not every audit was accepted: ${[...load.errors].join(', ')}`);
  await untilStored();
  return load;
}

interface MeasuredLoad {
  readonly load: LoadResult;
  /** From the first request until all is stored, plus three seconds for background work. */
  readonly usage: readonly ProcessUse[];
  readonly seconds: number;
  readonly referenceUs: number;
}

/** Names of processes by their ids. */
export type Names = ReadonlyMap<number, string>;

export async function measureLoad(options: PipelineLoad, processes: Names): Promise<MeasuredLoad> {
  const usages = () => [...processes.keys()].map(usageOf);
  const quickUs = measureReferenceUs();
  const before = usages();
  const startedAt = performance.now();
  const load = await sendLoad(options);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const usage = usageBetween(before, usages(), processes);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { load, usage, seconds, referenceUs: Math.min(quickUs, measureReferenceUs()) };
}

/** Cores that processes use while nothing is sent, by name. */
export async function idleCores(processes: Names, seconds: number): Promise<ReadonlyMap<string, number>> {
  const usages = () => [...processes.keys()].map(usageOf);
  const before = usages();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const used = usageBetween(before, usages(), processes);
  return new Map(used.map(({ name, cpuSeconds }) => [name, cpuSeconds / seconds]));
}
