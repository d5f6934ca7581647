import { REMEMBERED_MS } from '../port.ts';
import type { Expiry } from './store/expiry.ts';

/**
 * Bytes of the answers stored under Idempotency-Keys in a scope, so that no customer fills the state with them. They
 * are counted in periods of time, because the answers expire: bytes stored within the last day's periods count, so that
 * nothing counts for less than a day or for much longer. An attempt counts with an upper bound until it has an answer;
 * an answer counts with its bytes. An attempt that does not fit is refused. An answer is always stored, because its
 * work is done: only answers of attempts in flight can exceed the budget.
 */
export const PERIOD_MS = 4 * 3_600_000;
/** Periods that count: those of a day and the current one. */
export const COUNTED_PERIODS = REMEMBERED_MS / PERIOD_MS;
/** Digest, seed, nonce and their framing. */
export const ATTEMPT_BYTES = 512;
/** For each audit of an attempt: its item and its mark. */
export const ATTEMPT_ITEM_BYTES = 384;
/** How long a count of bytes is kept: as long as its period may count. */
export const COUNT_LIFE_MS = REMEMBERED_MS + 2 * PERIOD_MS;

export const attemptBytes = (items: number): number => ATTEMPT_BYTES + items * ATTEMPT_ITEM_BYTES;

export const answerBytes = ({ body }: { readonly body: string }): number => Buffer.byteLength(body);

/** The counts of the embedded state. Write only inside `Store.write`. */
interface RememberedBytes {
  /** Time until part of the budget may be free, ms; null when there is room for `bytes`. */
  full(scope: string, bytes: number, budgetBytes: number | undefined): number | null;
  add(scope: string, bytes: number): void;
  release(scope: string, bytes: number): void;
}

export function createRememberedBytes(expiry: Expiry, now: () => number): RememberedBytes {
  /** Number of the period since 1970 -> bytes. */
  const counts = expiry.briefTable<Readonly<Record<string, number>>>('remembered-bytes');
  const period = (): number => Math.floor(now() / PERIOD_MS);
  const isCounted = (at: string): boolean => Number(at) >= period() - COUNTED_PERIODS;
  const change = (scope: string, bytes: number): void => {
    const held = counts.get(scope) ?? {};
    const at = period();
    const before = held[at];
    // Expired periods are dropped when a new one starts.
    const kept =
      before === undefined
        ? Object.fromEntries(Object.entries(held).filter(([one]) => isCounted(one)))
        : held;
    counts.put(scope, { ...kept, [at]: Math.max(0, (before ?? 0) + bytes) }, now() + COUNT_LIFE_MS);
  };
  return {
    full(scope, bytes, budgetBytes) {
      if (budgetBytes === undefined) return null;
      const held = counts.get(scope) ?? {};
      let sum = bytes;
      for (const at in held) if (isCounted(at)) sum += held[at] ?? 0;
      return sum <= budgetBytes ? null : PERIOD_MS - (now() % PERIOD_MS);
    },
    add: change,
    release: (scope, bytes) => change(scope, -bytes),
  };
}
