import { compareKeys } from '#platform/state/document-names.ts';
import type { Store } from '#platform/state/lmdb/store/store.ts';
import { KEYS_PER_STEP, type Table } from '#platform/state/lmdb/store/table.ts';
import { StateUnavailable } from '#platform/state/port.ts';

interface Change {
  readonly table: string;
  readonly key: string;
  /** null: there was none, or it is deleted. */
  readonly text: string | null;
}

/** A copy of all tables of a state server. */
export type StateSnapshot = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** In-memory tables of the state, with a replica. Unreplicated writes can be undone, as a fail-over does. */
export interface ReplicatedStore extends Store {
  /** The replica catches up with everything written so far. */
  replicate(): void;
  /** The replica takes over with its data. Returns the number of lost writes. */
  failOver(): number;
  /** Number of unreplicated writes. */
  unreplicated(): number;
  snapshot(): StateSnapshot;
  restore(snapshot: StateSnapshot): void;
  /** Every value of every table, to search for forbidden content. */
  texts(): string[];
}

export function createReplicatedStore(): ReplicatedStore {
  const tables = new Map<string, Map<string, string>>();
  /** The undo of each unreplicated write, oldest first. */
  let undo: Change[][] = [];
  let staged: Change[] | null = null;
  let closed = false;
  const check = (): void => {
    if (closed) throw new StateUnavailable('the simulated state is closed');
  };

  const rowsOf = (name: string): Map<string, string> => {
    const known = tables.get(name);
    if (known !== undefined) return known;
    const made = new Map<string, string>();
    tables.set(name, made);
    return made;
  };
  const put = ({ table, key, text }: Change): void => {
    if (text === null) rowsOf(table).delete(key);
    else rowsOf(table).set(key, text);
  };
  const startWrite = <Result>(change: () => Result) => {
    check();
    if (staged !== null) throw new Error('a write must not start another write');
    const changes: Change[] = [];
    staged = changes;
    let result: Result;
    try {
      result = change();
    } finally {
      staged = null;
    }
    if (changes.length > 0) {
      undo.push(
        changes.map(({ table, key }) => ({ table, key, text: rowsOf(table).get(key) ?? null })).reverse(),
      );
    }
    changes.forEach(put);
    return { result, durable: Promise.resolve() };
  };
  const stage = (change: Change): void => {
    if (staged === null) throw new Error('put and remove must be called inside write()');
    staged.push(change);
  };

  return {
    table: <Value>(name: string): Table<Value> => {
      const parse = (text: string): Value => JSON.parse(text) as Value;
      const sorted = (accepts: (key: string) => boolean, limit = Number.POSITIVE_INFINITY) =>
        [...rowsOf(name)]
          .filter(([key]) => accepts(key))
          .sort(([left], [right]) => compareKeys(left, right))
          .slice(0, limit)
          .map(([key, text]) => ({ key, value: parse(text) }));
      const get = (key: string): Value | undefined => {
        check();
        const text = rowsOf(name).get(key);
        return text === undefined ? undefined : parse(text);
      };
      return {
        name,
        get,
        view: get,
        entries: (prefix, limit) => sorted((key) => key.startsWith(prefix), limit),
        *keys(prefix) {
          const keys = sorted((key) => key.startsWith(prefix)).map(({ key }) => key);
          for (let step = KEYS_PER_STEP; step <= keys.length; step += KEYS_PER_STEP) yield;
          return keys;
        },
        committedKeys: (end, limit) => sorted((key) => key < end, limit).map(({ key }) => key),
        committedAfter: (after, limit) => sorted((key) => key > after, limit),
        put: (key, value) => stage({ table: name, key, text: JSON.stringify(value) }),
        remove: (key) => stage({ table: name, key, text: null }),
      };
    },
    begin: startWrite,
    write: async (change) => startWrite(change).result,
    check,
    rewrite: async () => undefined,
    close: async () => {
      closed = true;
    },
    replicate: () => {
      undo = [];
    },
    failOver: () => {
      const lost = undo.length;
      for (const changes of undo.reverse()) changes.forEach(put);
      undo = [];
      return lost;
    },
    unreplicated: () => undo.length,
    snapshot: () => new Map([...tables].map(([name, rows]) => [name, new Map(rows)])),
    restore: (snapshot) => {
      closed = false;
      tables.clear();
      for (const [name, rows] of snapshot) tables.set(name, new Map(rows));
      undo = [];
    },
    texts: () => [...tables.values()].flatMap((rows) => [...rows.values()]),
  };
}
