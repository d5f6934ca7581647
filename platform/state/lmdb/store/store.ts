import type { Database } from 'lmdb';
import { checkLmdbFile } from '#platform/data-folder/lmdb-file.ts';
import { CommitQueue } from './commit-queue.ts';
import { openEnvironment, openTable, removeCopies } from './environment.ts';
import { LmdbTable, Overlay, type PendingWrite, SEPARATOR, type Table, type TableOptions } from './table.ts';

/**
 * Tables of JSON values in one LMDB environment with **one owning process**.
 *
 * A call decides synchronously on the values it reads and submits its writes as one batch, which LMDB's own thread
 * commits; JavaScript's single thread makes the decision atomic. Uncommitted writes are kept in an overlay that every
 * read checks first, so that the next decision builds on them without waiting for the commit. This keeps disk work off
 * the event loop. Under load writes gather for a few milliseconds and share one commit and one flush.
 */
export interface Store {
  /** By default values have no checksum. */
  table<Value>(name: string, options?: TableOptions): Table<Value>;
  /**
   * Runs `change` before it returns. The puts and removes become one LMDB transaction, or nothing when it throws.
   * `change` must be synchronous, and its reads do not see its own writes. Resolves with the result of `change` once
   * the writes are flushed to disk: the library reports a commit no earlier, so there is no faster option.
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** Like `write`, for callers that continue meanwhile: `durable` resolves or rejects as `write` would. */
  begin<Result>(change: () => Result): { readonly result: Result; readonly durable: Promise<void> };
  /** Rejects with `StateUnavailable` when the store is closed or a commit failed. */
  check(): void;
  /**
   * Replaces the file with one that contains only the live entries: LMDB leaves replaced or removed data on free pages
   * until they are reused. Reads and decisions continue. Writes become durable a little later, the last ones after the
   * swap. Needs disk space for a second file.
   */
  rewrite(): Promise<void>;
  close(): Promise<void>;
}

export const keyOf = (first: string, second: string, ...others: readonly string[]): string => {
  let key = first + SEPARATOR + second;
  for (const part of others) key += SEPARATOR + part;
  return key;
};
export const prefixOf = (...parts: readonly string[]): string => `${parts.join(SEPARATOR)}${SEPARATOR}`;
export const partsOf = (key: string): string[] => key.split(SEPARATOR);

export function openStore(path: string): Store {
  removeCopies(path);
  checkLmdbFile(path);
  return new LmdbStore(path);
}

class LmdbStore implements Store {
  readonly #commits: CommitQueue;
  readonly #overlays = new Map<string, Overlay>();
  /** Writes of the current decision. */
  #staged: PendingWrite[] | null = null;

  constructor(path: string) {
    const settle = (writes: readonly PendingWrite[]): void => {
      for (const write of writes) this.#overlays.get(write.table)!.settle(write);
    };
    this.#commits = new CommitQueue(path, openEnvironment(path), settle);
  }

  table<Value>(name: string, options: TableOptions = { isChecked: false }): Table<Value> {
    const overlay = new Overlay();
    this.#overlays.set(name, overlay);
    const { environment } = this.#commits;
    environment.databases.set(name, openTable(environment.root, name));
    return new LmdbTable<Value>(name, overlay, {
      ...options,
      database: (): Database<string, string> => this.#commits.environment.databases.get(name)!,
      stage: (write) => this.#stage(write),
      check: () => this.check(),
    });
  }

  begin<Result>(change: () => Result): { readonly result: Result; readonly durable: Promise<void> } {
    const { result, writes } = this.#decide(change);
    if (writes.length === 0) return { result, durable: Promise.resolve() };
    for (const write of writes) this.#overlays.get(write.table)!.add(write);
    return { result, durable: this.#commits.submit(writes) };
  }

  async write<Result>(change: () => Result): Promise<Result> {
    const { result, durable } = this.begin(change);
    await durable;
    return result;
  }

  check(): void {
    this.#commits.check();
  }

  rewrite(): Promise<void> {
    return this.#commits.rewrite();
  }

  close(): Promise<void> {
    return this.#commits.close();
  }

  #decide<Result>(change: () => Result): { result: Result; writes: readonly PendingWrite[] } {
    this.check();
    if (this.#staged !== null) throw new Error('a write must not start another write');
    const writes: PendingWrite[] = [];
    this.#staged = writes;
    try {
      return { result: change(), writes };
    } finally {
      this.#staged = null;
    }
  }

  #stage(write: PendingWrite): void {
    if (this.#staged === null) throw new Error('put and remove must be called inside write()');
    this.#staged.push(write);
  }
}
