import { renameSync } from 'node:fs';
import type { Database } from 'lmdb';
import {
  type Environment,
  flushFile,
  flushFolderOf,
  openCopy,
  openEnvironment,
  openTable,
  removeCopies,
} from './lmdb-environment.ts';
import { type Overlay, type PendingWrite, type Table, tableOf } from './lmdb-table.ts';
import { StateUnavailable } from './port.ts';

/**
 * Tables of JSON values in one LMDB environment with **one owning process**.
 *
 * A call decides synchronously on what it reads and hands its writes over as one batch, which LMDB's own thread
 * commits; JavaScript's single thread makes the decision atomic. Writes under way are kept in an overlay that every
 * read sees first, so that the next decision is made on them without waiting for the commit. This keeps disk work off
 * the event loop. Under load writes gather for a few milliseconds and share one commit and one flush.
 */
export interface Store {
  table<Value>(name: string): Table<Value>;
  /**
   * Runs `change` before it returns; the puts and removes become one LMDB transaction, or nothing when it throws.
   * `change` must not wait, and its reads see what was there before it. Resolves with what `change` returned once the
   * writes are flushed to the disk: the library tells of a commit no earlier than that, so there is no cheaper wait.
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** As `write`, for callers that go on meanwhile: `durable` resolves or rejects as `write` would. */
  begin<Result>(change: () => Result): { readonly result: Result; readonly durable: Promise<void> };
  /** Rejects with `StateUnavailable` when the store is closed or a commit failed. */
  check(): void;
  /**
   * Puts a file in the file's place that holds the live entries alone: LMDB leaves what was replaced or removed on free
   * pages until they are used again. Reads and decisions go on; writes are made durable a little later than otherwise,
   * those of the last moment after the change of files. Needs room for a second file.
   */
  rewrite(): Promise<void>;
  close(): Promise<void>;
}

/** Joins key parts; stays below every printable character, so that a prefix holds exactly one parent's keys. */
const SEPARATOR = '\u001f';

export const keyOf = (...parts: readonly string[]): string => parts.join(SEPARATOR);
export const prefixOf = (...parts: readonly string[]): string => `${parts.join(SEPARATOR)}${SEPARATOR}`;
export const partsOf = (key: string): string[] => key.split(SEPARATOR);

const ignore = (): void => undefined;

/** Writes of one commit that has not begun, the last one of each key. */
interface Gathering {
  readonly writes: Map<string, PendingWrite>;
  readonly done: Promise<void>;
}

/** Commits begin at least this far apart under load, ms: each costs about the same whatever it carries. */
const GATHER_MS = 12;

/** Writes that wait for the file that they will be in. */
interface HeldWrites {
  readonly writes: readonly PendingWrite[];
  readonly resolve: (done: Promise<void>) => void;
}

export function openStore(path: string): Store {
  removeCopies(path);
  let environment = openEnvironment(path);
  const underWay = new Set<Promise<void>>();
  let gathering: Gathering | null = null;
  let lastBegunAt = Number.NEGATIVE_INFINITY;
  /** What was handed over while a copy is made: the copy may lack it. */
  let journal: PendingWrite[] | null = null;
  /** While files change places. */
  let held: HeldWrites[] | null = null;
  let rewriting: Promise<void> = Promise.resolve();
  const overlays = new Map<string, Overlay>();
  let staged: PendingWrite[] | null = null;
  let fault: StateUnavailable | null = null;
  let broken = false;

  /**
   * After a failed commit the overlay may have led to decisions that are not on disk. Nothing is trusted from then
   * on: every call is refused until the process opens the file again.
   */
  function failed(error: unknown): StateUnavailable {
    broken = true;
    (error as { commitError?: Promise<unknown> } | null)?.commitError?.catch(ignore);
    fault ??= new StateUnavailable(
      'the embedded state could not write; check space and permissions of the data directory, then restart',
      { cause: error },
    );
    return fault;
  }

  function check(): void {
    if (fault !== null) throw fault;
  }

  function settle(writes: Iterable<PendingWrite>): void {
    for (const write of writes) {
      const { pending } = overlays.get(write.table)!;
      // A later write to the same key has taken the place; it leaves by its own commit.
      if (pending.get(write.key) === write) pending.delete(write.key);
    }
  }

  /** Resolves once the writes are flushed. */
  async function commit({ root, databases }: Environment, writes: readonly PendingWrite[]): Promise<void> {
    await root.batch(() => {
      for (const { table, key, text } of writes) {
        const database = databases.get(table)!;
        if (text === null) database.remove(key);
        else database.put(key, text);
      }
    });
    settle(writes);
  }

  /** A commit that begins at the end of the turn, or later so that commits do not follow each other too closely. */
  function gather(): Gathering {
    const writes = new Map<string, PendingWrite>();
    const begun = new Promise<void>((resolve) => {
      const delayMs = lastBegunAt + GATHER_MS - performance.now();
      if (delayMs > 0) setTimeout(resolve, delayMs);
      else setImmediate(resolve);
    });
    const done = begun.then(() => {
      gathering = null;
      lastBegunAt = performance.now();
      const all = [...writes.values()];
      journal?.push(...all);
      if (broken) throw failed(null);
      return commit(environment, all);
    });
    underWay.add(done);
    done.finally(() => underWay.delete(done)).catch(ignore);
    return { writes, done };
  }

  function submit(writes: readonly PendingWrite[]): Promise<void> {
    for (const write of writes) {
      const overlay = overlays.get(write.table)!;
      overlay.pending.set(write.key, write);
      overlay.views.delete(write.key);
    }
    if (held !== null) return new Promise((resolve) => held!.push({ writes, resolve }));
    gathering ??= gather();
    for (const write of writes) gathering.writes.set(`${write.table} ${write.key}`, write);
    return gathering.done;
  }

  /** In one go, so that none that is decided later comes before them. */
  function release(): void {
    const waiting = held ?? [];
    held = null;
    for (const { writes, resolve } of waiting) resolve(submit(writes));
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

  function begin<Result>(change: () => Result): { result: Result; durable: Promise<void> } {
    const { result, writes } = decide(change);
    if (writes.length === 0) return { result, durable: Promise.resolve() };
    const durable = submit(writes).catch((error: unknown) => {
      throw failed(error);
    });
    return { result, durable };
  }

  async function write<Result>(change: () => Result): Promise<Result> {
    const { result, durable } = begin(change);
    await durable;
    return result;
  }

  /** Gives the copy what it lacks and puts it in the file's place. Writes wait meanwhile. */
  async function changeFiles(copy: Environment, missed: readonly PendingWrite[]): Promise<void> {
    await Promise.all(underWay);
    if (missed.length > 0) await commit(copy, missed);
    await flushFile(copy.openedAs);
    check();
    renameSync(copy.openedAs, path);
    // From here on the old file is nobody's any more; whatever fails, no write may go there.
    const old = environment;
    environment = copy;
    try {
      flushFolderOf(path);
    } catch (error) {
      throw failed(error);
    }
    await old.root.close();
  }

  async function rewrite(): Promise<void> {
    check();
    const missed: PendingWrite[] = [];
    journal = missed;
    let copy: Environment | undefined;
    try {
      // What was handed over before is in the copy, what comes from now on is in the journal.
      await Promise.all(underWay);
      copy = await openCopy(path, environment);
      held = [];
      await changeFiles(copy, missed);
    } catch (error) {
      if (copy !== undefined && copy !== environment) await copy.root.close();
      throw error;
    } finally {
      journal = null;
      release();
      removeCopies(path);
    }
  }

  function stage(write: PendingWrite): void {
    if (staged === null) throw new Error('put and remove belong inside write()');
    staged.push(write);
  }

  return {
    table: <Value>(name: string): Table<Value> => {
      const overlay: Overlay = { pending: new Map(), views: new Map() };
      environment.databases.set(name, openTable(environment.root, name));
      overlays.set(name, overlay);
      const database = (): Database<string, string> => environment.databases.get(name)!;
      return tableOf<Value>({ name, database, overlay, stage, check });
    },
    write,
    begin,
    check,
    rewrite: () => {
      // One after the other: a copy that was begun before may lack what this one is to leave out.
      const next = rewriting.catch(ignore).then(rewrite);
      rewriting = next;
      return next;
    },
    async close() {
      fault ??= new StateUnavailable('the embedded state is closed');
      await rewriting.catch(ignore);
      await Promise.allSettled(underWay);
      // After a failed commit the library waits for it for ever; the file is left as a crash would leave it.
      if (!broken) await environment.root.close();
    },
  };
}
