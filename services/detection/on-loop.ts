import { type Audit, detectAll } from '#core/detect/detect.ts';
import type { Finding } from '#core/detect/finding.ts';
import type { StageMetrics } from '#platform/telemetry/stage-metrics.ts';
import type { Detected } from './port.ts';

/** How much is searched before the event loop is let go. At least one audit is. */
export interface ListLimits {
  readonly audits: number;
  /** Characters, and those that stand for the work of patterns. */
  readonly weight: number;
}

interface Waiting {
  readonly audit: Audit;
  readonly weight: number;
  readonly signal: AbortSignal;
  readonly resolve: (detected: Detected) => void;
  readonly reject: (reason: unknown) => void;
}

interface LoopOptions {
  readonly list: ListLimits;
  readonly clock: () => number;
  readonly stages?: StageMetrics;
}

type DetectOnLoop = (audit: Audit, weight: number, signal: AbortSignal) => Promise<Detected>;

/**
 * Searches texts on the event loop. What all callers ask for in one turn of it is searched stage by stage in a list,
 * which costs a quarter less than one audit after the other (ADR 0038); the loop is let go between lists.
 */
export function detectOnLoop({ list, clock, stages }: LoopOptions): DetectOnLoop {
  const waiting: Waiting[] = [];

  const search = (audits: readonly Audit[]): Finding[][] => {
    let since = clock();
    return detectAll(audits, (stage) => {
      const now = clock();
      stages?.ended(`detect:${stage}`, audits.length, now - since);
      since = now;
    });
  };
  const searchList = (some: readonly Waiting[]): void => {
    const begun = clock();
    let found: Finding[][];
    try {
      found = search(some.map(({ audit }) => audit));
    } catch (error) {
      // A fault in one audit is not the others'.
      if (some.length === 1) some[0]?.reject(error);
      else for (const one of some) searchList([one]);
      return;
    }
    const durationMs = (clock() - begun) / some.length;
    for (const [at, { resolve }] of some.entries()) resolve({ findings: found[at] ?? [], durationMs });
  };
  const takeTurn = (): void => {
    const some = takeList(waiting, list);
    if (some.length > 0) searchList(some);
    if (waiting.length > 0) setImmediate(takeTurn);
  };

  return (audit, weight, signal) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(takeTurn);
      waiting.push({ audit, weight, signal, resolve, reject });
    });
}

/** Takes the next list; what nobody waits for any more is rejected. */
function takeList(waiting: Waiting[], { audits, weight }: ListLimits): Waiting[] {
  const taken: Waiting[] = [];
  let sum = 0;
  let at = 0;
  for (const one of waiting) {
    sum += one.weight;
    if (taken.length > 0 && (taken.length === audits || sum > weight)) break;
    at += 1;
    if (one.signal.aborted) one.reject(one.signal.reason);
    else taken.push(one);
  }
  waiting.splice(0, at);
  return taken;
}
