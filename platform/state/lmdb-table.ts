import type { Database } from 'lmdb';
import { compareKeys } from './document-names.ts';
import { StateUnavailable } from './port.ts';

export interface Table<Value> {
  readonly name: string;
  get(key: string): Value | undefined;
  /**
   * The same value, frozen and shared by all who ask: it is parsed once for as long as it stands. What was read lately
   * is held in memory; as every write goes through this table, that is what the file says.
   */
  view(key: string): Value | undefined;
  /** Entries whose key begins with `prefix`, in key order, at most `limit`. */
  entries(prefix: string, limit?: number): { key: string; value: Value }[];
  /**
   * Keys that begin with `prefix`, in key order, read a piece at a step. No value is read. A key that comes or goes between
   * two steps may be told or not.
   */
  keys(prefix: string): Generator<void, string[]>;
  /** Committed keys below `end`, in key order, at most `limit`. Does not see writes under way. */
  committedKeys(end: string, limit: number): string[];
  /** Committed entries behind a key, in key order, at most `limit`. Does not see writes under way. */
  committedAfter(key: string, limit: number): { key: string; value: Value }[];
  /** Only inside `Store.write`. */
  put(key: string, value: Value): void;
  /** Only inside `Store.write`. */
  remove(key: string): void;
}

/** A write whose commit is under way. */
export interface PendingWrite {
  readonly table: string;
  readonly key: string;
  /** JSON text; null removes. */
  readonly text: string | null;
}

const MAX_KEY_BYTES = 1_900;
/** Above every character that a key part may begin with. */
const AFTER_ALL = '\u{10ffff}';

/** What is known of a table beside its file. */
export interface Overlay {
  /** The last write of each key that is under way. */
  readonly pending: Map<string, PendingWrite>;
  /** Values read lately, the oldest first; a write takes its key out. */
  readonly views: Map<string, unknown>;
}

const MAX_VIEWS = 10_000;

/** About a millisecond of work. */
export const KEYS_PER_STEP = 500;

interface TableParts {
  readonly name: string;
  /** In the file that is in place now. */
  database(): Database<string, string>;
  readonly overlay: Overlay;
  stage(write: PendingWrite): void;
  check(): void;
}

export function tableOf<Value>({ name, database, overlay, stage, check }: TableParts): Table<Value> {
  const { pending, views } = overlay;
  const parse = (text: string): Value => JSON.parse(text) as Value;
  const get = (key: string): Value | undefined => {
    check();
    const write = pending.get(key);
    if (write !== undefined) return write.text === null ? undefined : parse(write.text);
    const text = isStorable(key) ? attempt(() => database().get(key)) : undefined;
    return text === undefined ? undefined : parse(text);
  };
  return {
    name,
    get,
    view(key) {
      check();
      const known = views.get(key);
      if (known !== undefined) return known as Value;
      const value = get(key);
      if (value === undefined) return undefined;
      views.set(key, deepFreeze(value));
      if (views.size > MAX_VIEWS) views.delete(views.keys().next().value as string);
      return value;
    },
    entries(prefix, limit = Number.POSITIVE_INFINITY) {
      check();
      const found = new Map<string, string | null>();
      const range = { ...(prefix === '' ? {} : { start: prefix }), end: prefix + AFTER_ALL };
      attempt(() => {
        const rows = database().getRange(Number.isFinite(limit) ? { ...range, limit } : range);
        for (const { key, value } of rows) found.set(key, value);
      });
      for (const { key, text } of pending.values()) if (key.startsWith(prefix)) found.set(key, text);
      return [...found]
        .filter((entry): entry is [string, string] => entry[1] !== null)
        .sort(([left], [right]) => compareKeys(left, right))
        .slice(0, limit)
        .map(([key, text]) => ({ key, value: parse(text) }));
    },
    *keys(prefix) {
      const found = new Set<string>();
      const all = {
        ...(prefix === '' ? {} : { start: prefix }),
        end: prefix + AFTER_ALL,
        limit: KEYS_PER_STEP,
      };
      let range: Parameters<ReturnType<typeof database>['getKeys']>[0] = all;
      for (;;) {
        check();
        const piece = attempt(() => [...database().getKeys(range)]);
        for (const key of piece) found.add(key);
        // At every step: what is under way at one may be in the file, in a part that was read before, at the next.
        for (const { key, text } of pending.values()) {
          if (!key.startsWith(prefix)) continue;
          if (text === null) found.delete(key);
          else found.add(key);
        }
        if (piece.length < KEYS_PER_STEP) return [...found].sort(compareKeys);
        range = { ...all, start: piece.at(-1)!, exclusiveStart: true };
        yield;
      }
    },
    committedKeys(end, limit) {
      check();
      return attempt(() => [...database().getKeys({ end, limit })]);
    },
    committedAfter(key, limit) {
      check();
      const range = key === '' ? { limit } : { start: key, exclusiveStart: true, limit };
      return attempt(() => [...database().getRange(range)]).map((row) => ({
        key: row.key,
        value: parse(row.value),
      }));
    },
    put(key, value) {
      if (!isStorable(key))
        throw new RangeError('a key of the state is too long or holds a NUL; shorten the id');
      stage({ table: name, key, text: JSON.stringify(value) });
    },
    remove(key) {
      stage({ table: name, key, text: null });
    },
  };
}

/** A shared value must not change under those who hold it. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const child of Object.values(value)) deepFreeze(child);
  return Object.freeze(value);
}

function attempt<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new StateUnavailable('the embedded state cannot be read; check the data directory', {
      cause: error,
    });
  }
}

/** LMDB takes neither a long key nor a NUL in one. */
const isStorable = (key: string): boolean =>
  (key.length * 3 <= MAX_KEY_BYTES || Buffer.byteLength(key) <= MAX_KEY_BYTES) && !key.includes('\u0000');
