import { renameSync } from 'node:fs';
import { StateUnavailable } from '../../port.ts';
import { type Environment, flushFile, flushFolderOf, openCopy, removeCopies } from './environment.ts';
import type { PendingWrite } from './table.ts';

/** Minimum interval between commits under load, ms: a commit costs about the same for any number of writes. */
const GATHER_MS = 12;

/** By table and key; only the last write of each key. */
type LastWrites = Map<string, Map<string, PendingWrite>>;

/** Writes of a commit that has not started. */
interface Gathering {
  readonly writes: LastWrites;
  readonly done: Promise<void>;
}

/** Writes that wait until the new file is in place. */
interface WaitingWrites {
  readonly writes: readonly PendingWrite[];
  readonly resolve: (done: Promise<void>) => void;
}

const ignore = (): void => undefined;

/** Makes writes durable in the order in which they were decided: batches and commits them, and replaces the file. */
export class CommitQueue {
  /** The current file. */
  environment: Environment;
  readonly #path: string;
  readonly #settle: (writes: readonly PendingWrite[]) => void;
  readonly #inFlight = new Set<Promise<void>>();
  #gathering: Gathering | null = null;
  #lastStartedAt = Number.NEGATIVE_INFINITY;
  /** Writes submitted while a copy is made, which the copy may lack. */
  #journal: PendingWrite[] | null = null;
  /** Set while the files are being swapped. */
  #waiting: WaitingWrites[] | null = null;
  #rewriting: Promise<void> = Promise.resolve();
  #fault: StateUnavailable | null = null;
  #isBroken = false;

  /** `settle` is called with flushed writes. */
  constructor(path: string, environment: Environment, settle: (writes: readonly PendingWrite[]) => void) {
    this.#path = path;
    this.environment = environment;
    this.#settle = settle;
  }

  check(): void {
    if (this.#fault !== null) throw this.#fault;
  }

  /** Resolves once the writes are flushed; rejects with `StateUnavailable`. */
  submit(writes: readonly PendingWrite[]): Promise<void> {
    return this.#submit(writes).catch((error: unknown) => {
      throw this.#failed(error);
    });
  }

  /**
   * Replaces the file with a copy of the live entries. One at a time: one copy may contain entries that the next leaves
   * out.
   */
  rewrite(): Promise<void> {
    const next = this.#rewriting.catch(ignore).then(() => this.#rewrite());
    this.#rewriting = next;
    return next;
  }

  async close(): Promise<void> {
    this.#fault ??= new StateUnavailable('the embedded state is closed');
    await this.#rewriting.catch(ignore);
    await Promise.allSettled(this.#inFlight);
    // After a failed commit the library's close would wait forever, so the file is left as after a crash.
    if (!this.#isBroken) await this.environment.root.close();
  }

  /**
   * After a failed commit, decisions may depend on writes that are not on disk. Nothing can be trusted any longer:
   * every call is refused until the process reopens the file.
   */
  #failed(error: unknown): StateUnavailable {
    this.#isBroken = true;
    (error as { commitError?: Promise<unknown> } | null)?.commitError?.catch(ignore);
    this.#fault ??= new StateUnavailable(
      'cannot write the embedded state; check free space and permissions of the data folder, then restart',
      { cause: error },
    );
    return this.#fault;
  }

  #submit(writes: readonly PendingWrite[]): Promise<void> {
    if (this.#waiting !== null) return new Promise((resolve) => this.#waiting!.push({ writes, resolve }));
    this.#gathering ??= this.#gather();
    for (const write of writes) {
      const ofTable = this.#gathering.writes.get(write.table);
      if (ofTable !== undefined) ofTable.set(write.key, write);
      else this.#gathering.writes.set(write.table, new Map([[write.key, write]]));
    }
    return this.#gathering.done;
  }

  /** A commit that starts at the end of the turn, or later to keep the interval between commits. */
  #gather(): Gathering {
    const writes: LastWrites = new Map();
    const due = new Promise<void>((resolve) => {
      const delayMs = this.#lastStartedAt + GATHER_MS - performance.now();
      if (delayMs > 0) setTimeout(resolve, delayMs);
      else setImmediate(resolve);
    });
    const done = due.then(() => {
      this.#gathering = null;
      this.#lastStartedAt = performance.now();
      const all = [...writes.values()].flatMap((ofTable) => [...ofTable.values()]);
      this.#journal?.push(...all);
      if (this.#isBroken) throw this.#failed(null);
      return this.#commit(this.environment, all);
    });
    this.#inFlight.add(done);
    done.finally(() => this.#inFlight.delete(done)).catch(ignore);
    return { writes, done };
  }

  /** Resolves once the writes are flushed. */
  async #commit({ root, databases }: Environment, writes: readonly PendingWrite[]): Promise<void> {
    await root.batch(() => {
      for (const { table, key, text } of writes) {
        const database = databases.get(table)!;
        if (text === null) database.remove(key);
        else database.put(key, text);
      }
    });
    this.#settle(writes);
  }

  async #rewrite(): Promise<void> {
    this.check();
    const missed: PendingWrite[] = [];
    this.#journal = missed;
    let copy: Environment | undefined;
    try {
      // Earlier writes are in the copy, later ones are in the journal.
      await Promise.all(this.#inFlight);
      copy = await openCopy(this.#path, this.environment);
      this.#waiting = [];
      await this.#changeFiles(copy, missed);
    } catch (error) {
      if (copy !== undefined && copy !== this.environment) await copy.root.close();
      throw error;
    } finally {
      this.#journal = null;
      this.#release();
      removeCopies(this.#path);
    }
  }

  /** Applies the missed writes to the copy and replaces the file with it. Writes wait meanwhile. */
  async #changeFiles(copy: Environment, missed: readonly PendingWrite[]): Promise<void> {
    await Promise.all(this.#inFlight);
    if (missed.length > 0) await this.#commit(copy, missed);
    await flushFile(copy.openedAs);
    this.check();
    renameSync(copy.openedAs, this.#path);
    // The old file is abandoned now: no write may go there, even after a failure.
    const old = this.environment;
    this.environment = copy;
    try {
      flushFolderOf(this.#path);
    } catch (error) {
      throw this.#failed(error);
    }
    await old.root.close();
  }

  /** In one turn, so that later writes cannot overtake them. */
  #release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const { writes, resolve } of waiting) resolve(this.#submit(writes));
  }
}
