import { keyOf, partsOf, type Store, type Table } from './lmdb-store.ts';

/** A table whose rows end by themselves. A row past its end is gone for every reader at once, and swept away later. */
export interface ExpiringTable<Value> {
  get(key: string): Value | undefined;
  /** Only inside `Store.write`. `expiresAt`: Unix ms. */
  put(key: string, value: Value, expiresAt: number): void;
  /** Only inside `Store.write`. */
  remove(key: string): void;
}

export interface Expiry {
  table<Value>(name: string): ExpiringTable<Value>;
  /** Removes up to `limit` rows that are past their end; answers how many index rows it took. */
  sweep(limit: number): Promise<number>;
}

interface Row {
  readonly value: unknown;
  readonly expiresAt: number;
}

const sortable = (ms: number): string => String(Math.trunc(ms)).padStart(15, '0');

export function createExpiry(store: Store, now: () => number): Expiry {
  const tables = new Map<string, Table<Row>>();
  /** End, table and key of every row, so that a sweep touches nothing but what is past its end. */
  const index = store.table<0>('expiry');
  const indexKey = (expiresAt: number, table: string, key: string): string =>
    keyOf(sortable(expiresAt), table, key);

  function expiringTable<Value>(name: string): ExpiringTable<Value> {
    const rows = store.table<Row>(name);
    tables.set(name, rows);
    return {
      get(key) {
        const row = rows.get(key);
        return row === undefined || row.expiresAt <= now() ? undefined : (row.value as Value);
      },
      put(key, value, expiresAt) {
        const before = rows.get(key);
        if (before !== undefined && before.expiresAt !== expiresAt)
          index.remove(indexKey(before.expiresAt, name, key));
        rows.put(key, { value, expiresAt });
        index.put(indexKey(expiresAt, name, key), 0);
      },
      remove(key) {
        const before = rows.get(key);
        if (before === undefined) return;
        rows.remove(key);
        index.remove(indexKey(before.expiresAt, name, key));
      },
    };
  }

  return {
    table: expiringTable,
    async sweep(limit) {
      const due = index.committedKeys(sortable(now() + 1), limit);
      if (due.length === 0) return 0;
      await store.write(() => {
        for (const entry of due) {
          const [end = '', name = '', ...rest] = partsOf(entry);
          const key = keyOf(...rest);
          const row = tables.get(name)?.get(key);
          // The row may have been renewed by a write that is still under way; only its old end goes then.
          if (row !== undefined && sortable(row.expiresAt) === end) tables.get(name)!.remove(key);
          index.remove(entry);
        }
      });
      return due.length;
    },
  };
}
