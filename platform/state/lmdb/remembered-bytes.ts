import { REMEMBERED_MS } from '../port.ts';
import type { Expiry } from './store/expiry.ts';

/**
 * Bytes of the answers remembered under Idempotency-Keys in a scope, so that no customer fills the state with them.
 * Counted by stretches of time, because what is remembered expires: bytes stored within the last day's stretches count,
 * so that nothing counts for less than a day or for much longer. An attempt counts with an upper bound until it has an
 * answer, an answer with its bytes. An attempt that does not fit is refused; an answer is always stored, because its
 * work is done: only answers of attempts in flight can exceed the budget.
 */
export const STRETCH_MS = 4 * 3_600_000;
/** Stretches that count: those of a day and the current one. */
export const COUNTED_STRETCHES = REMEMBERED_MS / STRETCH_MS;
/** Digest, seed, nonce and their framing. */
export const ATTEMPT_BYTES = 512;
/** Per audit of an attempt: its item and its mark. */
export const ATTEMPT_ITEM_BYTES = 384;
/** How long a count of bytes is kept: as long as its stretch may count. */
export const COUNT_LIFE_MS = REMEMBERED_MS + 2 * STRETCH_MS;

export const attemptBytes = (items: number): number => ATTEMPT_BYTES + items * ATTEMPT_ITEM_BYTES;

export const answerBytes = ({ body }: { readonly body: string }): number => Buffer.byteLength(body);

/** The counts of the embedded state. Writes only inside `Store.write`. */
interface RememberedBytes {
  /** How long until some of the budget may be free, ms; null when there is room for `bytes`. */
  full(scope: string, bytes: number, budgetBytes: number | undefined): number | null;
  add(scope: string, bytes: number): void;
  giveBack(scope: string, bytes: number): void;
}

export function createRememberedBytes(expiry: Expiry, now: () => number): RememberedBytes {
  /** Stretch since 1970 -> bytes. */
  const counts = expiry.briefTable<Readonly<Record<string, number>>>('remembered-bytes');
  const stretch = (): number => Math.floor(now() / STRETCH_MS);
  const isCounted = (at: string): boolean => Number(at) >= stretch() - COUNTED_STRETCHES;
  const change = (scope: string, bytes: number): void => {
    const held = counts.get(scope) ?? {};
    const at = stretch();
    const before = held[at];
    // Expired stretches are dropped when a new one begins.
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
      return sum <= budgetBytes ? null : STRETCH_MS - (now() % STRETCH_MS);
    },
    add: change,
    giveBack: (scope, bytes) => change(scope, -bytes),
  };
}
