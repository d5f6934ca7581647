import type { Found } from '#core/detect/detect.ts';
import type { Detected } from './port.ts';

/** How much is searched together: at least one audit. */
export interface ListLimits {
  readonly audits: number;
  /** Characters, plus the equivalent for the work of patterns. */
  readonly weight: number;
  /**
   * True: yields to the event loop only between lists. For short lists that callers wait for: under overload the loop
   * would accept new requests between the stages, and answer fewer.
   */
  readonly inOneTurn: boolean;
}

/** The matches in each audit of a list. */
export interface Searched {
  readonly found: readonly Found[];
  /** Excludes waits between the stages. */
  readonly durationMs: number;
}

interface ListOptions<Asked> {
  readonly limits: ListLimits;
  /** Lists searched concurrently. */
  readonly atOnce: number;
  readonly search: (audits: readonly Asked[]) => Promise<Searched>;
  /** Whether a failure rejects the whole list; otherwise its audits are retried one by one. By default none does. */
  readonly failsWhole?: (error: unknown) => boolean;
}

interface Waiting<Asked> {
  readonly audit: Asked;
  readonly weight: number;
  readonly signal: AbortSignal;
  readonly resolve: (detected: Detected) => void;
  readonly reject: (reason: unknown) => void;
}

export type SearchInLists<Asked> = (audit: Asked, weight: number, signal: AbortSignal) => Promise<Detected>;

/**
 * Groups what all callers request in one turn of the event loop into lists, which costs a quarter less than searching
 * audits one by one (README.md).
 */
export function searchInLists<Asked>(options: ListOptions<Asked>): SearchInLists<Asked> {
  const { limits, atOnce, search, failsWhole = () => false } = options;
  const waiting: Waiting<Asked>[] = [];
  let searching = 0;

  const searchList = async (some: readonly Waiting<Asked>[]): Promise<void> => {
    let searched: Searched;
    try {
      searched = await search(some.map(({ audit }) => audit));
    } catch (error) {
      // A fault in one audit must not fail the others.
      if (some.length === 1 || failsWhole(error)) for (const { reject } of some) reject(error);
      else for (const one of some) await searchAlone(one);
      return;
    }
    const durationMs = searched.durationMs / some.length;
    for (const [at, { resolve }] of some.entries()) resolve({ ...searched.found[at]!, durationMs });
  };
  const searchAlone = async (one: Waiting<Asked>): Promise<void> => {
    if (one.signal.aborted) one.reject(one.signal.reason);
    else await searchList([one]);
  };
  const searchWaiting = async (): Promise<void> => {
    searching += 1;
    while (waiting.length > 0) {
      await new Promise(setImmediate);
      const some = takeList(waiting, limits);
      if (some.length > 0) await searchList(some);
    }
    searching -= 1;
  };

  return (audit, weight, signal) =>
    new Promise((resolve, reject) => {
      waiting.push({ audit, weight, signal, resolve, reject });
      if (searching < atOnce) void searchWaiting();
    });
}

/** Takes the next list and rejects aborted requests. */
function takeList<Asked>(waiting: Waiting<Asked>[], { audits, weight }: ListLimits): Waiting<Asked>[] {
  const batch: Waiting<Asked>[] = [];
  let sum = 0;
  let at = 0;
  for (const one of waiting) {
    sum += one.weight;
    if (batch.length > 0 && (batch.length === audits || sum > weight)) break;
    at += 1;
    if (one.signal.aborted) one.reject(one.signal.reason);
    else batch.push(one);
  }
  waiting.splice(0, at);
  return batch;
}
