import { Worker } from 'node:worker_threads';
import { TaskFailed, TasksUnavailable, TaskTimedOut } from './task-errors.ts';
import { movesWith, type TaskNews } from './task-thread.ts';

export interface ThreadOptions {
  /** Compiled main module of the thread; it calls `answerTasks`. */
  readonly module: string;
  readonly name: string;
  readonly maxHeapMib: number;
  /** Maximum time to start, ms. */
  readonly startMs: number;
}

interface RunningTask {
  readonly task: Uint8Array;
  readonly timeoutMs: number;
  readonly resolve: (result: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** A thread of a pool, for one task at a time. It is gone after a task that missed its deadline or killed it. */
export class PooledThread {
  readonly #worker: Worker;
  readonly #startMs: number;
  #running: RunningTask | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  #goneBy: string | null = null;
  readonly #exited: Promise<void>;

  constructor({ module, name, maxHeapMib, startMs }: ThreadOptions) {
    this.#startMs = startMs;
    this.#worker = new Worker(module, { name, resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } });
    this.#worker.on('message', (news: TaskNews) => this.#hear(news));
    this.#worker.on('error', (error: Error & { readonly code?: string }) => {
      this.#goneBy ??= error.code ?? error.name;
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#goneBy ??= 'ThreadEnded';
        const why = this.#goneBy;
        this.#fail(
          this.#isReady ? new TaskFailed(why) : new TasksUnavailable(`threads fail to start: ${why}`),
        );
        resolve();
      });
    });
  }

  get isGone(): boolean {
    return this.#goneBy !== null;
  }

  /**
   * Moves the task's bytes to the thread as soon as it is ready, when the task's time starts. Rejects with one of the
   * errors of `task-errors.ts`.
   */
  run(task: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#running = { task, timeoutMs, resolve, reject };
      if (this.#isReady) this.#give();
      else this.#limit(this.#startMs, new TasksUnavailable(`no thread started within ${this.#startMs} ms`));
    });
  }

  async end(): Promise<void> {
    this.#giveUp(new TasksUnavailable('the pool is closed'));
    await this.#exited;
  }

  #give(): void {
    if (this.#running === null) return;
    const { task, timeoutMs } = this.#running;
    this.#limit(timeoutMs, new TaskTimedOut(timeoutMs));
    this.#worker.postMessage(task, movesWith(task));
  }

  #hear(news: TaskNews): void {
    if (news === 'ready') {
      this.#isReady = true;
      this.#give();
    } else if ('failed' in news) {
      this.#fail(new TaskFailed(news.failed));
    } else {
      this.#take()?.resolve(news.result);
    }
  }

  #limit(ms: number, late: Error): void {
    clearTimeout(this.#timer);
    const running = this.#running;
    this.#timer = setTimeout(() => {
      // After the event loop was blocked, the timer may be due with the answer waiting: the answer counts.
      setImmediate(() => {
        if (this.#running === running) this.#giveUp(late);
      });
    }, ms);
  }

  #giveUp(error: Error): void {
    this.#goneBy ??= error.name;
    this.#fail(error);
    void this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#take()?.reject(error);
  }

  /** Takes the running task, which the caller settles. */
  #take(): RunningTask | null {
    const running = this.#running;
    this.#running = null;
    clearTimeout(this.#timer);
    return running;
  }
}
