import { checkRemains } from '../check-remains.ts';
import type { State } from '../port.ts';
import type { PendingMarks } from './pending-marks.ts';
import type { ExpiringTable } from './store/expiry.ts';
import { prefixOf, type Store } from './store/store.ts';

interface RemainsOptions {
  readonly store: Store;
  readonly marks: PendingMarks;
  /** The rows of expiring values. */
  readonly values: ExpiringTable<string>;
  /** The last uses of sessions. */
  readonly seen: ExpiringTable<number>;
}

const ROWS_PER_WRITE = 1_000;

/** `State.removeRemains` for rows stored in key order. */
export function createRemains({ store, marks, values, seen }: RemainsOptions): State['removeRemains'] {
  /** In bounded writes, so that other calls can interleave. */
  async function removeAll(gone: AbortSignal, removeSome: () => number): Promise<void> {
    let removed: number;
    do {
      gone.throwIfAborted();
      removed = await store.write(removeSome);
    } while (removed > 0);
  }
  return async (remains, gone) => {
    checkRemains(remains);
    await removeAll(gone, () => marks.removeSome(remains.customerId, ROWS_PER_WRITE));
    const remove = (table: ExpiringTable<unknown>, prefix: string): number => {
      const keys = table.keys(prefix, ROWS_PER_WRITE);
      for (const key of keys) table.remove(key);
      return keys.length;
    };
    await removeAll(gone, () => remove(values, remains.expiringPrefix));
    await removeAll(gone, () => remove(seen, prefixOf(remains.customerId)));
  };
}
