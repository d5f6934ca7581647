import { keyOf, partsOf, prefixOf, type Store } from './store.ts';
import type { Table } from './table.ts';

/** A table whose rows expire. An expired row is invisible at once to every reader, and deleted later. */
export interface ExpiringTable<Value> {
  get(key: string): Value | undefined;
  /** Call only inside `Store.write`. `expiresAt`: Unix ms. */
  put(key: string, value: Value, expiresAt: number): void;
  /** Call only inside `Store.write`. */
  remove(key: string): void;
  /** Keys that start with `prefix`, in order, at most `limit`, including those of expired rows. */
  keys(prefix: string, limit: number): string[];
}

export interface Expiry {
  /** For rows that mostly live until they expire: each has an entry in the expiry index. */
  table<Value>(name: string): ExpiringTable<Value>;
  /** For rows that are nearly all removed long before they expire: no index, which would cost more than the rows. */
  briefTable<Value>(name: string): ExpiringTable<Value>;
  /**
   * Removes expired rows, checking about `limit`; returns 0 when a whole round has found no more. Call it repeatedly.
   */
  sweep(limit: number): Promise<number>;
}

interface Row {
  readonly value: unknown;
  readonly expiresAt: number;
}

const sortable = (ms: number): string => String(Math.trunc(ms)).padStart(15, '0');

/** Expiry, table and key of every row, so that a sweep reads only expired rows. */
const indexKey = (expiresAt: number, table: string, key: string): string =>
  keyOf(sortable(expiresAt), table, key);

export function createExpiry(store: Store, now: () => number): Expiry {
  const index = new ExpiryIndex(store, now);
  const scans: Scan[] = [];
  return {
    table: (name) => index.table(name),
    briefTable<Value>(name: string) {
      const rows = new Rows<Value>(store.table(name), now);
      scans.push(new Scan(store, rows));
      return rows;
    },
    async sweep(limit) {
      let swept = await index.sweep(limit);
      for (const scan of scans) swept += await scan.sweep(limit);
      return swept;
    },
  };
}

/** A table of rows with their expiry times. */
class Rows<Value> implements ExpiringTable<Value> {
  readonly table: Table<Row>;
  readonly #now: () => number;

  constructor(table: Table<Row>, now: () => number) {
    this.table = table;
    this.#now = now;
  }

  isExpired(row: Row): boolean {
    return row.expiresAt <= this.#now();
  }

  get(key: string): Value | undefined {
    const row = this.table.get(key);
    return row === undefined || this.isExpired(row) ? undefined : (row.value as Value);
  }

  put(key: string, value: Value, expiresAt: number): void {
    this.table.put(key, { value, expiresAt });
  }

  remove(key: string): void {
    this.table.remove(key);
  }

  keys(prefix: string, limit: number): string[] {
    return this.table.entries(prefix, limit).map(({ key }) => key);
  }
}

/** Tables whose rows each have an entry in the expiry index. */
class ExpiryIndex {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #index: Table<0>;
  readonly #tables = new Map<string, Table<Row>>();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.#index = store.table('expiry');
  }

  table<Value>(name: string): ExpiringTable<Value> {
    const rows = new Rows<Value>(this.#store.table(name), this.#now);
    const index = this.#index;
    this.#tables.set(name, rows.table);
    return {
      get: (key) => rows.get(key),
      put(key, value, expiresAt) {
        const before = rows.table.get(key);
        if (before !== undefined && before.expiresAt !== expiresAt)
          index.remove(indexKey(before.expiresAt, name, key));
        rows.put(key, value, expiresAt);
        index.put(indexKey(expiresAt, name, key), 0);
      },
      remove(key) {
        const before = rows.table.get(key);
        if (before === undefined) return;
        rows.remove(key);
        index.remove(indexKey(before.expiresAt, name, key));
      },
      keys: (prefix, limit) => rows.keys(prefix, limit),
    };
  }

  async sweep(limit: number): Promise<number> {
    const due = this.#index.committedKeys(sortable(this.#now() + 1), limit);
    if (due.length === 0) return 0;
    await this.#store.write(() => {
      for (const entry of due) {
        const [end = '', name = ''] = partsOf(entry);
        const key = entry.slice(prefixOf(end, name).length);
        const table = this.#tables.get(name);
        const row = table?.get(key);
        // A write in flight may have refreshed the row; then only its old index entry is removed.
        if (row !== undefined && sortable(row.expiresAt) === end) table!.remove(key);
        this.#index.remove(entry);
      }
    });
    return due.length;
  }
}

/** Scans a table repeatedly, in steps of `limit` rows. */
class Scan {
  readonly #store: Store;
  readonly #rows: Rows<unknown>;
  #cursor = '';
  #removed = 0;

  constructor(store: Store, rows: Rows<unknown>) {
    this.#store = store;
    this.#rows = rows;
  }

  /** Returns 0 when a round ended without a removal. */
  async sweep(limit: number): Promise<number> {
    const page = this.#rows.table.committedAfter(this.#cursor, limit);
    await this.#store.write(() => {
      for (const { key, value } of page) {
        // A write in flight may have refreshed or removed it.
        const row = this.#rows.isExpired(value) ? this.#rows.table.get(key) : undefined;
        if (row === undefined || !this.#rows.isExpired(row)) continue;
        this.#rows.remove(key);
        this.#removed += 1;
      }
    });
    if (page.length === limit) {
      this.#cursor = page.at(-1)!.key;
      // A round without removals never awaits otherwise, and the table may be long.
      await new Promise(setImmediate);
      return 1;
    }
    const total = this.#removed;
    [this.#cursor, this.#removed] = ['', 0];
    return total;
  }
}
