import type { Database } from 'lmdb';
import { DamagedDocument } from '../../damaged-document.ts';
import { compareKeys } from '../../document-names.ts';
import { jsonIn, textOf } from '../../document-text.ts';
import { StateUnavailable } from '../../port.ts';

export interface TableOptions {
  /** Each value is stored with a checksum, so that a flipped bit causes an error and not a different value. */
  readonly isChecked: boolean;
  /** Do not show keys: they may identify people. */
  readonly hasPrivateKeys?: boolean;
}

export interface Table<Value> {
  readonly name: string;
  get(key: string): Value | undefined;
  /**
   * The value, frozen and shared by all callers; it is parsed once until it changes. Recent values are cached. Every
   * write goes through this table, so the cache agrees with the file.
   */
  view(key: string): Value | undefined;
  /** Entries whose key starts with `prefix`, in key order, at most `limit`. */
  entries(prefix: string, limit?: number): { key: string; value: Value }[];
  /**
   * Keys that start with `prefix`, in key order, read one chunk per step. Values are not read. A key added or removed
   * between two steps may or may not be included.
   */
  keys(prefix: string): Generator<void, string[]>;
  /** Committed keys below `end`, in key order, at most `limit`. Does not see uncommitted writes. */
  committedKeys(end: string, limit: number): string[];
  /** Committed entries after a key, in key order, at most `limit`. Does not see uncommitted writes. */
  committedAfter(key: string, limit: number): { key: string; value: Value }[];
  /** Call only inside `Store.write`. */
  put(key: string, value: Value): void;
  /** Call only inside `Store.write`. */
  remove(key: string): void;
}

/** A write that is not committed yet. */
export interface PendingWrite {
  readonly table: string;
  readonly key: string;
  /** The stored text; null removes the row. */
  readonly text: string | null;
  /** The value, when it is immutable; its next reader need not parse the text. */
  readonly view?: number;
}

/** Joins key parts. Sorts before every printable character, so that a prefix contains exactly one parent's keys. */
export const SEPARATOR = '\u001f';

const MAX_KEY_BYTES = 1_900;
/** Sorts after every character that a key part may start with. */
const AFTER_ALL = '\u{10ffff}';

const MAX_VIEWS = 10_000;

/** In-memory state of a table, in addition to its file. */
export class Overlay {
  /** The last uncommitted write of each key. */
  readonly pending = new Map<string, PendingWrite>();
  /** Recently read values, oldest first; a write replaces or evicts the value of its key. */
  readonly #views = new Map<string, unknown>();

  add(write: PendingWrite): void {
    this.pending.set(write.key, write);
    if (write.view !== undefined && this.#views.has(write.key)) this.#views.set(write.key, write.view);
    else this.#views.delete(write.key);
  }

  /** Call when the write is in the file. */
  settle(write: PendingWrite): void {
    // A later write to the same key may have replaced it and is removed by its own commit.
    if (this.pending.get(write.key) === write) this.pending.delete(write.key);
  }

  viewed(key: string): unknown {
    return this.#views.get(key);
  }

  cache(key: string, value: unknown): void {
    this.#views.set(key, value);
    if (this.#views.size > MAX_VIEWS) this.#views.delete(this.#views.keys().next().value as string);
  }
}

/** About a millisecond of work. */
export const KEYS_PER_STEP = 500;

/** What a table needs from its store. */
interface TableStore extends TableOptions {
  /** The table's database in the current file. */
  database(): Database<string, string>;
  stage(write: PendingWrite): void;
  check(): void;
}

const rangeOf = (prefix: string) => ({
  ...(prefix === '' ? {} : { start: prefix }),
  end: prefix + AFTER_ALL,
});

export class LmdbTable<Value> implements Table<Value> {
  readonly name: string;
  readonly #overlay: Overlay;
  readonly #store: TableStore;

  constructor(name: string, overlay: Overlay, store: TableStore) {
    this.name = name;
    this.#overlay = overlay;
    this.#store = store;
  }

  get(key: string): Value | undefined {
    this.#store.check();
    const write = this.#overlay.pending.get(key);
    if (write !== undefined) return write.text === null ? undefined : this.#parse(key, write.text);
    const text = isStorable(key) ? attempt(() => this.#store.database().get(key)) : undefined;
    return text === undefined ? undefined : this.#parse(key, text);
  }

  view(key: string): Value | undefined {
    this.#store.check();
    const known = this.#overlay.viewed(key);
    if (known !== undefined) return known as Value;
    const value = this.get(key);
    if (value !== undefined) this.#overlay.cache(key, deepFreeze(value));
    return value;
  }

  entries(prefix: string, limit = Number.POSITIVE_INFINITY): { key: string; value: Value }[] {
    this.#store.check();
    const found = new Map<string, string | null>();
    const range = rangeOf(prefix);
    attempt(() => {
      const rows = this.#store.database().getRange(Number.isFinite(limit) ? { ...range, limit } : range);
      for (const { key, value } of rows) found.set(key, value);
    });
    for (const { key, text } of this.#overlay.pending.values())
      if (key.startsWith(prefix)) found.set(key, text);
    return [...found]
      .filter((entry): entry is [string, string] => entry[1] !== null)
      .sort(([left], [right]) => compareKeys(left, right))
      .slice(0, limit)
      .map(([key, text]) => ({ key, value: this.#parse(key, text) }));
  }

  *keys(prefix: string): Generator<void, string[]> {
    const found = new Set<string>();
    const all = { ...rangeOf(prefix), limit: KEYS_PER_STEP };
    let range: Parameters<Database<string, string>['getKeys']>[0] = all;
    for (;;) {
      this.#store.check();
      const chunk = attempt(() => [...this.#store.database().getKeys(range)]);
      for (const key of chunk) found.add(key);
      // At every step: a write pending at one step may be committed by the next, in a chunk that was already read.
      for (const { key, text } of this.#overlay.pending.values()) {
        if (!key.startsWith(prefix)) continue;
        if (text === null) found.delete(key);
        else found.add(key);
      }
      if (chunk.length < KEYS_PER_STEP) return [...found].sort(compareKeys);
      range = { ...all, start: chunk.at(-1)!, exclusiveStart: true };
      yield;
    }
  }

  committedKeys(end: string, limit: number): string[] {
    this.#store.check();
    return attempt(() => [...this.#store.database().getKeys({ end, limit })]);
  }

  committedAfter(key: string, limit: number): { key: string; value: Value }[] {
    this.#store.check();
    const range = key === '' ? { limit } : { start: key, exclusiveStart: true, limit };
    const rows = attempt(() => [...this.#store.database().getRange(range)]);
    return rows.map((row) => ({ key: row.key, value: this.#parse(row.key, row.value) }));
  }

  put(key: string, value: Value): void {
    if (!isStorable(key)) throw new RangeError('a state key is too long or contains a NUL; shorten the id');
    const json = JSON.stringify(value);
    const text = this.#store.isChecked ? textOf(this.#nameOf(key), json) : json;
    this.#store.stage(
      typeof value === 'number'
        ? { table: this.name, key, text, view: value }
        : { table: this.name, key, text },
    );
  }

  remove(key: string): void {
    this.#store.stage({ table: this.name, key, text: null });
  }

  #parse(key: string, text: string): Value {
    if (this.#store.isChecked)
      return JSON.parse(jsonIn(this.#nameOf(key), text, () => this.#shownName(key))) as Value;
    try {
      return JSON.parse(text) as Value;
    } catch {
      // A client may have chosen the key of such a row.
      throw new DamagedDocument(`a row of the table ${this.name}`);
    }
  }

  /** Includes the table, so that a row of another table is detected. */
  #nameOf(key: string): string {
    return `${this.name}/${key}`;
  }

  #shownName(key: string): string {
    if (this.#store.hasPrivateKeys) return `a row of the table ${this.name}`;
    return this.#nameOf(key).replaceAll(SEPARATOR, '/');
  }
}

/** A shared value must not change while other callers use it. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const child of Object.values(value)) deepFreeze(child);
  return Object.freeze(value);
}

function attempt<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new StateUnavailable('cannot read the embedded state; check the data folder', {
      cause: error,
    });
  }
}

/** LMDB accepts neither long keys nor NUL in a key. */
const isStorable = (key: string): boolean =>
  (key.length * 3 <= MAX_KEY_BYTES || Buffer.byteLength(key) <= MAX_KEY_BYTES) && !key.includes('\u0000');
