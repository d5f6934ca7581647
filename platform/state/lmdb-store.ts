import { type Database, open, type RootDatabase } from 'lmdb';
import { compareKeys } from './document-names.ts';
import { StateUnavailable } from './port.ts';

/**
 * Tables of JSON values in one LMDB environment with **one owning process**.
 *
 * A call decides synchronously on what it reads and hands its writes over as one batch, which LMDB's own thread
 * commits; JavaScript's single thread makes the decision atomic. Writes under way are kept in an overlay that every
 * read sees first, so that the next decision is made on them without waiting for the commit. This keeps disk work off
 * the event loop and lets all calls of a turn share one commit and one flush.
 */
export interface Store {
  table<Value>(name: string): Table<Value>;
  /**
   * Runs `change` before it returns; the puts and removes become one LMDB transaction, or nothing when it throws.
   * `change` must not wait, and its reads see what was there before it. Resolves with what `change` returned once the
   * writes are flushed to the disk: the library tells of a commit no earlier than that, so there is no cheaper wait.
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** Rejects with `StateUnavailable` when the store is closed or a commit failed. */
  check(): void;
  close(): Promise<void>;
}

export interface Table<Value> {
  readonly name: string;
  get(key: string): Value | undefined;
  /** Entries whose key begins with `prefix`, in key order, at most `limit`. */
  entries(prefix: string, limit?: number): { key: string; value: Value }[];
  /** Committed keys below `end`, in key order, at most `limit`. Does not see writes under way. */
  committedKeys(end: string, limit: number): string[];
  /** Only inside `Store.write`. */
  put(key: string, value: Value): void;
  /** Only inside `Store.write`. */
  remove(key: string): void;
}

/** Joins key parts; stays below every printable character, so that a prefix holds exactly one parent's keys. */
const SEPARATOR = '\u001f';
const MAX_KEY_BYTES = 1_900;
/** Above every character that a key part may begin with. */
const AFTER_ALL = '\u{10ffff}';

export const keyOf = (...parts: readonly string[]): string => parts.join(SEPARATOR);
export const prefixOf = (...parts: readonly string[]): string => `${parts.join(SEPARATOR)}${SEPARATOR}`;
export const partsOf = (key: string): string[] => key.split(SEPARATOR);

const ignore = (): void => undefined;

interface PendingWrite {
  readonly table: string;
  readonly key: string;
  /** JSON text; null removes. */
  readonly text: string | null;
}

export function openStore(path: string): Store {
  const root: RootDatabase<string, string> = open({ path, noSubdir: true, maxDbs: 16, encoding: 'string' });
  const databases = new Map<string, Database<string, string>>();
  const overlays = new Map<string, Map<string, PendingWrite>>();
  let staged: PendingWrite[] | null = null;
  let fault: StateUnavailable | null = null;
  let broken = false;
  let watching = false;

  /**
   * After a failed commit the overlay may have led to decisions that are not on disk. Nothing is trusted from then
   * on: every call is refused until the process opens the file again.
   */
  function failed(error: unknown): StateUnavailable {
    broken = true;
    (error as { commitError?: Promise<unknown> }).commitError?.catch(ignore);
    fault ??= new StateUnavailable(
      'the embedded state could not write; check space and permissions of the data directory, then restart',
      { cause: error },
    );
    return fault;
  }

  function check(): void {
    if (fault !== null) throw fault;
  }

  /**
   * The library makes one more promise for all batches of a turn, when the turn ends. Nobody else hears of it, and its
   * rejection would end the process.
   */
  function watchTurn(): void {
    if (watching) return;
    watching = true;
    setImmediate(() => {
      watching = false;
      root.committed.then(ignore, ignore);
    });
  }

  function settle(writes: readonly PendingWrite[]): void {
    for (const write of writes) {
      const overlay = overlays.get(write.table)!;
      // A later write to the same key has taken the place; it leaves by its own commit.
      if (overlay.get(write.key) === write) overlay.delete(write.key);
    }
  }

  function submit(writes: readonly PendingWrite[]): Promise<void> {
    for (const write of writes) overlays.get(write.table)!.set(write.key, write);
    const committed = root.batch(() => {
      for (const { table, key, text } of writes) {
        const database = databases.get(table)!;
        if (text === null) database.remove(key);
        else database.put(key, text);
      }
    });
    watchTurn();
    return committed.then(() => settle(writes));
  }

  function decide<Result>(change: () => Result): { result: Result; writes: readonly PendingWrite[] } {
    check();
    if (staged !== null) throw new Error('a write must not begin another write');
    const writes: PendingWrite[] = [];
    staged = writes;
    try {
      return { result: change(), writes };
    } finally {
      staged = null;
    }
  }

  async function write<Result>(change: () => Result): Promise<Result> {
    const { result, writes } = decide(change);
    if (writes.length === 0) return result;
    const committed = submit(writes);
    // Asked for in the same turn, so that it stands for the flush of this batch and no earlier one.
    const flushed = new Promise((resolve, reject) => root.flushed.then(resolve, reject));
    try {
      await Promise.all([committed, flushed]);
    } catch (error) {
      throw failed(error);
    }
    return result;
  }

  function stage(write: PendingWrite): void {
    if (staged === null) throw new Error('put and remove belong inside write()');
    staged.push(write);
  }

  return {
    table: <Value>(name: string): Table<Value> => {
      const database = root.openDB<string, string>({ name, encoding: 'string' });
      const overlay = new Map<string, PendingWrite>();
      databases.set(name, database);
      overlays.set(name, overlay);
      return tableOf<Value>({ name, database, overlay, stage, check });
    },
    write,
    check,
    async close() {
      fault ??= new StateUnavailable('the embedded state is closed');
      // After a failed commit the library waits for it for ever; the file is left as a crash would leave it.
      if (!broken) await root.close();
    },
  };
}

interface TableParts {
  readonly name: string;
  readonly database: Database<string, string>;
  readonly overlay: ReadonlyMap<string, PendingWrite>;
  stage(write: PendingWrite): void;
  check(): void;
}

function tableOf<Value>({ name, database, overlay, stage, check }: TableParts): Table<Value> {
  const parse = (text: string): Value => JSON.parse(text) as Value;
  return {
    name,
    get(key) {
      check();
      const pending = overlay.get(key);
      if (pending !== undefined) return pending.text === null ? undefined : parse(pending.text);
      const text = isStorable(key) ? attempt(() => database.get(key)) : undefined;
      return text === undefined ? undefined : parse(text);
    },
    entries(prefix, limit = Number.POSITIVE_INFINITY) {
      check();
      const found = new Map<string, string | null>();
      const range = { ...(prefix === '' ? {} : { start: prefix }), end: prefix + AFTER_ALL };
      attempt(() => {
        const rows = database.getRange(Number.isFinite(limit) ? { ...range, limit } : range);
        for (const { key, value } of rows) found.set(key, value);
      });
      for (const { key, text } of overlay.values()) if (key.startsWith(prefix)) found.set(key, text);
      return [...found]
        .filter((entry): entry is [string, string] => entry[1] !== null)
        .sort(([left], [right]) => compareKeys(left, right))
        .slice(0, limit)
        .map(([key, text]) => ({ key, value: parse(text) }));
    },
    committedKeys(end, limit) {
      check();
      return attempt(() => [...database.getKeys({ end, limit })]);
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
