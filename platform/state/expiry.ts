import { keyOf, partsOf, type Store } from './lmdb-store.ts';
import type { Table } from './lmdb-table.ts';

/** A table whose rows end by themselves. A row past its end is gone for every reader at once, and swept away later. */
export interface ExpiringTable<Value> {
  get(key: string): Value | undefined;
  /** Only inside `Store.write`. `expiresAt`: Unix ms. */
  put(key: string, value: Value, expiresAt: number): void;
  /** Only inside `Store.write`. */
  remove(key: string): void;
  /** Keys that begin with `prefix`, in order, at most `limit`; of rows past their end too. */
  keys(prefix: string, limit: number): string[];
}

export interface Expiry {
  /** Rows that mostly live until their end: each has an entry in the index of ends. */
  table<Value>(name: string): ExpiringTable<Value>;
  /** Rows that are nearly all removed long before their end: no index, which would cost more than the rows. */
  briefTable<Value>(name: string): ExpiringTable<Value>;
  /**
   * Removes rows that are past their end, looking at about `limit`; 0: a whole round has found no more. Call it again
   * and again.
   */
  sweep(limit: number): Promise<number>;
}

interface Row {
  readonly value: unknown;
  readonly expiresAt: number;
}

const sortable = (ms: number): string => String(Math.trunc(ms)).padStart(15, '0');

export function createExpiry(store: Store, now: () => number): Expiry {
  const tables = new Map<string, Table<Row>>();
  const walks: ((limit: number) => Promise<number>)[] = [];
  /** End, table and key of every row, so that a sweep touches nothing but what is past its end. */
  const index = store.table<0>('expiry');
  const indexKey = (expiresAt: number, table: string, key: string): string =>
    keyOf(sortable(expiresAt), table, key);

  const isOver = (row: Row): boolean => row.expiresAt <= now();
  const reader =
    <Value>(rows: Table<Row>) =>
    (key: string): Value | undefined => {
      const row = rows.get(key);
      return row === undefined || isOver(row) ? undefined : (row.value as Value);
    };

  const keysOf =
    (rows: Table<Row>) =>
    (prefix: string, limit: number): string[] =>
      rows.entries(prefix, limit).map(({ key }) => key);

  function table<Value>(name: string): ExpiringTable<Value> {
    const rows = store.table<Row>(name);
    tables.set(name, rows);
    return {
      get: reader<Value>(rows),
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
      keys: keysOf(rows),
    };
  }

  function briefTable<Value>(name: string): ExpiringTable<Value> {
    const rows = store.table<Row>(name);
    tables.set(name, rows);
    walks.push(walkOver(store, rows, isOver));
    return {
      get: reader<Value>(rows),
      put: (key, value, expiresAt) => rows.put(key, { value, expiresAt }),
      remove: (key) => rows.remove(key),
      keys: keysOf(rows),
    };
  }

  async function sweepIndex(limit: number): Promise<number> {
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
  }

  return {
    table,
    briefTable,
    async sweep(limit) {
      let swept = await sweepIndex(limit);
      for (const walk of walks) swept += await walk(limit);
      return swept;
    },
  };
}

/** Goes through a table in steps: each looks at `limit` rows and answers 0 when a round ended without a removal. */
function walkOver(
  store: Store,
  rows: Table<Row>,
  isOver: (row: Row) => boolean,
): (limit: number) => Promise<number> {
  let cursor = '';
  let removed = 0;
  return async (limit) => {
    const page = rows.committedAfter(cursor, limit);
    await store.write(() => {
      for (const { key, value } of page) {
        // A write that is still under way may have renewed or removed it.
        const row = isOver(value) ? rows.get(key) : undefined;
        if (row === undefined || !isOver(row)) continue;
        rows.remove(key);
        removed += 1;
      }
    });
    if (page.length === limit) {
      cursor = page.at(-1)!.key;
      // A round that removes nothing waits for nothing else, and the table may be long.
      await new Promise(setImmediate);
      return 1;
    }
    const total = removed;
    [cursor, removed] = ['', 0];
    return total;
  };
}
