import type { Found } from '#core/detect/detect.ts';
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

/** What was found in each audit of a list. */
export interface Searched {
  readonly found: readonly Found[];
  /** Without what waited between the stages. */
  readonly durationMs: number;
}

interface ListOptions<Asked> {
  readonly limits: ListLimits;
  /** Lists that are searched at a time. */
  readonly atOnce: number;
  readonly search: (audits: readonly Asked[]) => Promise<Searched>;
  /** Whether a failed list fails whole; otherwise its audits are searched one by one. By default no failure does. */
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
 * Searches in a list what all callers ask for in one turn of the event loop, which costs a quarter less than one audit
 * after the other (README.md).
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
      // A fault in one audit is not the others'.
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

/** Takes the next list; what nobody waits for any more is rejected. */
function takeList<Asked>(waiting: Waiting<Asked>[], { audits, weight }: ListLimits): Waiting<Asked>[] {
  const taken: Waiting<Asked>[] = [];
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
