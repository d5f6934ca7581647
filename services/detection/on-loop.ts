import { type Audit, detectInSteps, type Found } from '#core/detect/detect.ts';
import { timeSlice } from '#platform/flow/time-slice.ts';
import type { StageMetrics } from '#platform/telemetry/stage-metrics.ts';
import type { Detected } from './port.ts';

/** How much is searched together. At least one audit is. */
export interface ListLimits {
  readonly audits: number;
  /** Characters, and those that stand for the work of patterns. */
  readonly weight: number;
  /**
   * True: the loop is let go between lists alone. For short lists that somebody waits for: where more is asked for than can be
   * searched, the loop would take in requests between the stages, and answer fewer.
   */
  readonly inOneTurn: boolean;
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

interface Searched {
  readonly found: readonly Found[];
  /** Without what waited between the stages. */
  readonly durationMs: number;
}

/**
 * Searches texts on the event loop. What all callers ask for in one turn of it is searched stage by stage in a list,
 * which costs a quarter less than one audit after the other (ADR 0038); the loop is let go between lists, and between the
 * stages of one that takes long (ADR 0060) unless its limits say otherwise. There is one list at a time.
 */
export function detectOnLoop({ list, clock, stages }: LoopOptions): DetectOnLoop {
  const waiting: Waiting[] = [];
  let isSearching = false;

  const search = async (audits: readonly Audit[]): Promise<Searched> => {
    const steps = detectInSteps(audits);
    const yieldTurn = timeSlice(clock);
    let durationMs = 0;
    for (;;) {
      const since = clock();
      const step = steps.next();
      const stageMs = clock() - since;
      durationMs += stageMs;
      if (step.done) return { found: step.value, durationMs };
      stages?.ended(`detect:${step.value}`, audits.length, stageMs);
      if (!list.inOneTurn) await yieldTurn();
    }
  };
  const searchList = async (some: readonly Waiting[]): Promise<void> => {
    let searched: Searched;
    try {
      searched = await search(some.map(({ audit }) => audit));
    } catch (error) {
      // A fault in one audit is not the others'.
      if (some.length === 1) some[0]?.reject(error);
      else for (const one of some) await searchList([one]);
      return;
    }
    const durationMs = searched.durationMs / some.length;
    for (const [at, { resolve }] of some.entries()) resolve({ ...searched.found[at]!, durationMs });
  };
  const searchWaiting = async (): Promise<void> => {
    isSearching = true;
    while (waiting.length > 0) {
      await new Promise(setImmediate);
      const some = takeList(waiting, list);
      if (some.length > 0) await searchList(some);
    }
    isSearching = false;
  };

  return (audit, weight, signal) =>
    new Promise((resolve, reject) => {
      waiting.push({ audit, weight, signal, resolve, reject });
      if (!isSearching) void searchWaiting();
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
